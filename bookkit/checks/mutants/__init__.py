"""Do the tests notice a wrong line? Small changes of the code, one at a time, tried by the tests it has."""
