import { expect, test } from 'vitest'

/**
 * Texts for a user at the gateway's computer, each with its counterpart for a user at another one.
 */
const PAIRS: Readonly<Record<string, string>> = {
  'admin.api.onlyHere': 'admin.api.fromElsewhere',
  'chat.empty.staysHere': 'chat.empty.staysAtGateway',
  'connections.foundHere': 'connections.foundAtGateway',
  'connections.noRuntime': 'connections.noRuntimeAtGateway',
  'doctor.pointsHere': 'doctor.pointsAtGateway',
  'firstRun.dataLocal': 'firstRun.dataServer',
  'localModels.firstRun': 'localModels.firstRunAtGateway',
  'localModels.here': 'localModels.atGateway',
  'localModels.text': 'localModels.textAtGateway',
  'models.leavesThisComputer': 'models.leavesGateway',
  'models.onThisComputer': 'models.onGateway',
  'pictures.settings.reach.elsewhere': 'pictures.settings.reach.elsewhereFromGateway',
  'pictures.settings.reach.here': 'pictures.settings.reach.atGateway',
  'programs.here': 'programs.atGateway',
}
/** Files of strings that only the desktop app shows, on its own computer. */
const OF_DESKTOP = new Set(['desktop', 'desktopApp'])

const files = import.meta.glob<object>('../locales/en/*.json', { eager: true, import: 'default' })

function flatten(value: unknown, key: string): (readonly [string, string])[] {
  if (typeof value === 'string') return [[key, value]]
  return Object.entries(value as object).flatMap(([name, part]) => flatten(part, `${key}.${name}`))
}

const strings = new Map(
  Object.entries(files).flatMap(([file, strings]) => {
    const name = file.split('/').at(-1)!.slice(0, -'.json'.length)
    const namespace = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    return OF_DESKTOP.has(namespace) ? [] : flatten(strings, namespace)
  }),
)

test('“this computer” is said only where other words stand ready for other devices', () => {
  const saying = [...strings].filter(([, text]) => /this computer/i.test(text))
  expect(saying.length).toBeGreaterThan(5)
  expect(saying.map(([key]) => key).filter((key) => PAIRS[key] === undefined)).toEqual([])
})

test('no text has another name for the gateway’s computer', () => {
  const otherNames =
    /(computer|machine) (of|on) (the|your) gateway|your (computer|machine)\b|home server/i
  expect([...strings].filter(([, text]) => otherNames.test(text))).toEqual([])
})

test('the other words exist, and do not say it', () => {
  for (const [key, other] of Object.entries(PAIRS)) {
    expect(strings.get(key), key).toMatch(/this computer/i)
    expect(strings.get(other), other).toBeTruthy()
    expect(strings.get(other), other).not.toMatch(/this computer/i)
  }
})

test('whoever says the one says the other', () => {
  const sources = import.meta.glob<string>('../{app,features,ui}/**/*.{ts,tsx}', {
    eager: true,
    query: '?raw',
    import: 'default',
  })
  const oneSided = Object.entries(sources).flatMap(([file, text]) =>
    Object.entries(PAIRS)
      .filter(([key, other]) => text.includes(`'${key}'`) && !text.includes(`'${other}'`))
      .map(([key]) => `${file}: ${key}`),
  )
  expect(Object.keys(sources).length).toBeGreaterThan(100)
  expect(oneSided).toEqual([])
})
