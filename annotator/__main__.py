"""`python -m annotator`."""

from annotator.cli.main import main

if __name__ == "__main__":
    main()
