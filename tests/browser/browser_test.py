"""Runs the tests of pages in one browser: plane, pages and limits, or what is named.

usage: browser_test.py HALFSPACE SCREENSHOTS [pages.Pages.test_rounds_are_stepped_through ...]
"""

import sys
import unittest
from pathlib import Path

import chromium
from support import SETTINGS


def main():
    if packages := chromium.missing():
        print(f"SKIPPED: not installed: {packages} (apt-get install {packages}); no page was looked at")
        sys.exit(chromium.SKIPPED)
    command, screenshots, *tests = sys.argv[1:]
    browser = chromium.Browser()
    SETTINGS.update(command=command, screenshots=Path(screenshots), browser=browser)
    try:
        unittest.main(module=None, argv=[sys.argv[0], *(tests or ("plane", "pages", "limits"))])
    finally:
        browser.close()


if __name__ == "__main__":
    main()
