WHO = "utils package"
