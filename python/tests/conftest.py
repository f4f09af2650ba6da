"""Makes support.py importable from the folders of tests."""
