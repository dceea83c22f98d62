"""Serve the built site to this machine alone: ``python -m bookkit.site.serve _build/html 8000``."""

import argparse
import functools
import http.server
import pathlib
import sys


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files and reports only what went wrong."""

    def log_request(self, code: object = "-", size: object = "-") -> None:
        """Say nothing about a request that succeeded."""


def server(site: pathlib.Path, port: int) -> http.server.ThreadingHTTPServer:
    """Bind a server for the folder to a port of localhost (0: any free one)."""
    handler = functools.partial(QuietHandler, directory=str(site))
    return http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="Serve the built site on localhost.")
    parser.add_argument("site", type=pathlib.Path)
    parser.add_argument("port", type=int)
    args = parser.parse_args()
    if not (args.site / "index.html").exists():
        sys.exit(f"There is no site at {args.site}. Build it first: make book")
    try:
        httpd = server(args.site, args.port)
    except (OSError, OverflowError) as error:
        other = args.port % 65535 + 1
        sys.exit(f"Port {args.port} cannot be used ({error}). Choose another: make serve PORT={other}")
    with httpd:
        print(f"The book is at http://localhost:{args.port}/ (Ctrl-C ends)", flush=True)
        try:
            httpd.serve_forever()
        except KeyboardInterrupt:
            print("\nStopped.")


if __name__ == "__main__":
    main()
