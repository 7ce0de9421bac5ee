// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = path.resolve(import.meta.dirname, '../locales/en')

/** Texts that are shown only in a window on the gateway's computer, or in the desktop app. */
const ONLY_THERE: readonly string[] = [
  'admin.api.onlyHere',
  'chat.empty.staysHere',
  'connections.noRuntime',
  'connections.foundHere',
  'desktop-app.background.startsAtLogin',
  'doctor.pointsHere',
  'first-run.dataLocal',
  'import.moveIn.text',
  'local-models.text',
  'local-models.here',
  'local-models.firstRun',
  'models.onThisComputer',
  'models.leavesThisComputer',
  'pictures.settings.reach.here',
  'pictures.settings.reach.elsewhere',
  'programs.here',
]

function* textsOf(value: unknown, key: string): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [key, value]
  else
    for (const [name, inner] of Object.entries(value as Record<string, unknown>))
      yield* textsOf(inner, `${key}.${name}`)
}

const texts = readdirSync(FOLDER)
  .filter((file) => file !== 'emoji.json')
  .flatMap((file) => [
    ...textsOf(
      JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')),
      path.basename(file, '.json'),
    ),
  ])

test('only texts of a window on the gateway\u2019s computer say "this computer"', () => {
  const found = texts.filter(([, text]) => /this (computer|machine)/i.test(text))
  expect(found.map(([key]) => key).toSorted()).toEqual(ONLY_THERE.toSorted())
})

test('the other texts call it the gateway\u2019s computer', () => {
  const others = texts.filter(([, text]) =>
    /(computer|machine) (of|on) (the|your) gateway|your (computer|machine)\b|home server/i.test(
      text,
    ),
  )
  expect(others).toEqual([])
})
