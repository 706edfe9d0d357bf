"""The interface in JSON: records of requests and answers, and what makes the one of the other."""
