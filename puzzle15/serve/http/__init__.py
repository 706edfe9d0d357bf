"""HTTP: what arrives on a connection, and what is sent; the requests that searches answer wait for a place."""
