import { readFile } from 'node:fs/promises'
import { MarkdownWriter } from '../markdown/markdown-writer.ts'
import { decodeBytes } from '../decode-text.ts'
import type { Reader } from '../reader.ts'
import { Refusal } from '../refusal.ts'
import { isRecord } from '../../../lib/is-record.ts'

const LARGEST_NOTEBOOK = 48 * 1024 * 1024
const LONGEST_OUTPUT = 20_000

const field = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined)
const list = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : []

/** Texts of a notebook are strings or lists of lines. */
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : list(value)
        .filter((line) => typeof line === 'string')
        .join('')

function outputText(output: unknown): string {
  const printed =
    textOf(field(output, 'text')) || textOf(field(field(output, 'data'), 'text/plain'))
  if (printed !== '') return printed.slice(0, LONGEST_OUTPUT)
  const [name, value] = [textOf(field(output, 'ename')), textOf(field(output, 'evalue'))]
  return name === '' ? '' : `${name}: ${value}`
}

function writeCell(writer: MarkdownWriter, cell: unknown, language: string): void {
  const source = textOf(field(cell, 'source'))
  if (field(cell, 'cell_type') !== 'code') return writer.paragraph(source)
  writer.code(source, language)
  for (const output of list(field(cell, 'outputs'))) writer.code(outputText(output), '')
}

/** Reads texts, code and printed results of a notebook; omits images. */
export const readNotebook: Reader = async (file, { sink }) => {
  if (file.size > LARGEST_NOTEBOOK)
    throw new Refusal('Notebooks can be up to 48 MB. Clear the results in it and add it again.')
  let notebook: unknown
  try {
    notebook = JSON.parse(decodeBytes(await readFile(file.path)))
  } catch {
    throw new Refusal('The file is damaged: it cannot be read as a notebook.')
  }
  const metadata = field(notebook, 'metadata')
  const language =
    textOf(field(field(metadata, 'language_info'), 'name')) ||
    textOf(field(field(metadata, 'kernelspec'), 'language'))
  const writer = new MarkdownWriter(sink)
  const cells = list(field(notebook, 'cells'))
  // Before version 4 cells were inside worksheets.
  const older = list(field(notebook, 'worksheets')).flatMap((sheet) => list(field(sheet, 'cells')))
  for (const cell of [...cells, ...older]) {
    writeCell(writer, cell, language)
    await sink.flush()
  }
  return { format: 'markdown', title: textOf(field(metadata, 'title')) || null }
}
