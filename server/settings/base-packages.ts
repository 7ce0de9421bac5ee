/**
 * Packages available to every plugin (docs/plugin-contract.md). After a change: node
 * resources/scripts/python/write-lock.ts.
 */
export const BASE_PACKAGES: string[] = [
  'pydantic>=2.7,<3',
  'typing_extensions',
  'fastapi',
  'starlette',
  'python-multipart',
  'requests',
  'aiohttp',
  'httpx',
  'anyio',
  'cryptography',
  'beautifulsoup4',
  'loguru',
  'pytz',
  'python-dateutil',
  'aiofiles',
  'markdown',
  'pillow',
  'pyyaml',
]

/**
 * Separator between two requirements of a text, but not within one: before another bound, within
 * extras, or before a marker.
 */
export const BETWEEN_REQUIREMENTS =
  /[,;](?!\s*(?:[<>=!~]|(?:python|platform|implementation)_|sys_platform|os_name|extra\s*==))(?![^[\]]*\])/
