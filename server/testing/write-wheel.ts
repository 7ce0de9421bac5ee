import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { strToU8, zipSync } from 'fflate'

export interface WheelOptions {
  readonly needs?: readonly string[]
  readonly version?: string
  /** Further files by their path in the package folder. */
  readonly files?: Readonly<Record<string, string>>
}

/**
 * Writes a package as an index offers it, version 1.0 unless another is given; returns its file
 * name.
 */
export function writeWheel(
  folder: string,
  name: string,
  { needs = [], version = '1.0', files: more = {} }: WheelOptions = {},
): string {
  const info = `${name}-${version}.dist-info`
  const metadata = [
    'Metadata-Version: 2.1',
    `Name: ${name}`,
    `Version: ${version}`,
    ...needs.map((each) => `Requires-Dist: ${each}`),
    '',
  ]
  const files: Record<string, string> = {
    [`${name}.py`]: `NAME = "${name}"\n`,
    ...more,
    [`${info}/METADATA`]: metadata.join('\n'),
    [`${info}/WHEEL`]:
      'Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  }
  files[`${info}/RECORD`] = [...Object.keys(files), `${info}/RECORD`]
    .map((file) => `${file},,\n`)
    .join('')
  const bytes = zipSync(
    Object.fromEntries(Object.entries(files).map(([file, text]) => [file, strToU8(text)])),
  )
  const filename = `${name}-${version}-py3-none-any.whl`
  writeFileSync(path.join(folder, filename), bytes)
  return filename
}
