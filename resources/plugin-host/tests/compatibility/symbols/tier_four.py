"""The database and the vector store, which plugins do not reach."""

from tests.compatibility.rows import Row, rows

ROWS: list[Row] = [
    *rows(
        "T4",
        "internal.db",
        """
        get_db | clear failure: get_db()
        get_async_db_context | clear failure: get_async_db_context()
        Session | clear failure: Session.query(1)
        Base | clear failure: type("Row", (object,), {}) and Base()
        """,
    ),
    *rows(
        "T4",
        "retrieval.vector.connector",
        """
        VECTOR_DB_CLIENT | clear failure: VECTOR_DB_CLIENT.search("x", [], 1)
        """,
    ),
]
