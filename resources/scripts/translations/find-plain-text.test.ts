import { expect, it } from 'vitest'
import { isTest, readSources } from '../import-graph.ts'
import { findPlainText } from './find-plain-text.ts'

const find = (text: string, file = 'renderer/a.tsx') =>
  findPlainText({ file, text }).map((found) => found.text)

it('finds text in the markup, in what readers are told, and in calls that show it', () => {
  expect(find('const a = <p>Hello there</p>')).toEqual(['Hello there'])
  expect(find('const a = <p>{busy ? "Working" : `Done ${count}`}</p>')).toEqual(['Working', 'Done'])
  expect(find('const a = <b aria-label="Close">{t("a.b")}</b>')).toEqual(['Close'])
  expect(find('const a = <Field label={isNew && "Name"} id="name" />')).toEqual(['Name'])
  expect(find('announce("Finished")', 'renderer/a.ts')).toEqual(['Finished'])
  expect(find('const a = [{ label: "Quit", role: "quit" }]', 'main/a.ts')).toEqual(['Quit'])
})

it('leaves keys, code, names and addresses alone', () => {
  expect(find('const a = <p title={t("a.b")}>{t("a.c")} · 7</p>')).toEqual([])
  expect(find('const a = <code>npm run build</code>')).toEqual([])
  expect(find('const a = <i translate="no">Ollama</i>')).toEqual([])
  expect(find('const a = <input placeholder="https://example.org" />')).toEqual([])
})

/** Parsing all sources takes seconds, and minutes on a busy machine. */
const LONG = 120_000

it('no text of the interface or of the desktop app bypasses the strings', { timeout: LONG }, () => {
  const shown = readSources().filter(
    ({ file }) =>
      /^(renderer|main)\//.test(file) && !isTest(file) && !file.includes('__fixtures__'),
  )
  expect(shown.length).toBeGreaterThan(500)
  expect(shown.flatMap(findPlainText)).toEqual([])
})
