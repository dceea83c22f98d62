"""The companion package of *Statistical Machine Learning, Executed*.

Modules are the nouns of the lectures: import them by name, ``from lecturekit import kernels``.
"""

__version__ = "0.1.0"
