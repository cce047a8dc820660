print("callhub")
