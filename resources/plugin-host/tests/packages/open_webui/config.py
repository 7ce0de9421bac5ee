DATA_DIR = "/data"
