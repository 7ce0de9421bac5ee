"""Where plugins put bytes before they make a file of them, and where they find the bytes of files. Synchronous in every release."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any, BinaryIO

from open_webui._gateway import local_files
from open_webui._gateway.missing import Table, missing_name


class StorageProvider(Table):
    def upload_file(self, file: BinaryIO, filename: str, tags: dict[str, str] | None = None) -> tuple[bytes, str]:
        """Keeps the bytes until `Files.insert_new_file` stores them; answers them with their path."""
        contents = file if isinstance(file, bytes) else file.read()
        if not contents:
            raise ValueError("The file is empty.")
        path = local_files.uploads_folder() / local_files.safe_name(filename)
        if path.exists() and path.read_bytes() != contents:
            path = path.with_name(f"{uuid.uuid4()}_{path.name}")
        path.write_bytes(contents)
        return contents, str(path)

    def get_file(self, file_path: str) -> str:
        """A local path of what a path of a file record, or of an upload, stands for."""
        path = Path(file_path)
        if stored := local_files.identifier_of(path):
            return str(local_files.fetch(*stored))
        if not path.is_file():
            raise FileNotFoundError(file_path)
        return str(path)

    def delete_file(self, file_path: str) -> None:
        """Removes a local copy; stored files are removed by `Files.delete_file_by_id`."""
        path = Path(file_path)
        if path.parent in (local_files.files_folder(), local_files.uploads_folder()):
            path.unlink(missing_ok=True)

    def delete_all_files(self) -> None:
        for path in local_files.uploads_folder().iterdir():
            path.unlink(missing_ok=True)


LocalStorageProvider = StorageProvider
Storage = StorageProvider()


def get_storage_provider(storage_provider: str = "local") -> StorageProvider:
    return Storage


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
