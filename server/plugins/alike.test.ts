import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPlugins, type PluginServer } from '../testing/start-plugins.ts'
import type { Fields } from '../lib/is-record.ts'

const TOOL = `
from pydantic import BaseModel


class Tools:
    class Valves(BaseModel):
        unit: str = "celsius"

    class UserValves(BaseModel):
        tone: str = "dry"

    def __init__(self):
        self.valves = self.Valves()

    def weather(self, city: str) -> str:
        """Says how warm it is.
        :param city: Where
        """
        return city
`
const FILTER = `
from pydantic import BaseModel


class Filter:
    class Valves(BaseModel):
        key: str = "none"

    def outlet(self, body):
        return body
`

let plugins: PluginServer
let member: string
beforeAll(async () => {
  plugins = await startPlugins()
  await plugins.createTool('weather', TOOL)
  await plugins.createFunction('loud', FILTER)
  member = await plugins.addUser('Bob')
  const access = {
    access_grants: [{ principal_type: 'user', principal_id: '*', permission: 'read' }],
  }
  await plugins.api('POST', 'tools/id/weather/access/update', access)
})
afterAll(() => plugins.close())

const find = (list: unknown, id: string): Fields =>
  (list as Fields[]).find((each) => each['id'] === id)!

test('lists of tools tell what each function is called with, and only administrators and the owner who that is', async () => {
  const own = find(await plugins.api('GET', 'tools/'), 'weather')
  expect(own['specs']).toMatchObject([
    { name: 'weather', parameters: { properties: { city: { type: 'string' } } } },
  ])
  expect(own['user']).toMatchObject({ name: 'Ada', role: 'admin', email: 'ada@example.com' })
  for (const place of ['tools/', 'tools/list']) {
    const shown = find(await plugins.api('GET', place, undefined, member), 'weather')
    expect(shown).toMatchObject({ specs: [{ name: 'weather' }], user: { name: 'Ada' } })
    expect(Object.keys(shown['user'] as Fields)).not.toEqual(expect.arrayContaining(['email']))
    expect(shown['user']).not.toHaveProperty('role')
    expect(shown).not.toHaveProperty('content')
  }
})

test('settings nobody has set are an empty object', async () => {
  for (const place of [
    'tools/id/weather/valves',
    'tools/id/weather/valves/user',
    'functions/id/loud/valves',
    'functions/id/loud/valves/user',
  ])
    expect(await plugins.api('GET', place)).toEqual({})
  expect(await plugins.api('GET', 'tools/id/weather/valves/user', undefined, member)).toEqual({})
})

test('the list of functions names who made each, and the export holds their settings when it is asked to', async () => {
  expect(find(await plugins.api('GET', 'functions/list'), 'loud')).toMatchObject({
    user: { name: 'Ada', role: 'admin', email: 'ada@example.com' },
  })
  expect(find(await plugins.api('GET', 'functions/'), 'loud')).not.toHaveProperty('user')
  expect(
    find(await plugins.api('GET', 'functions/export?include_valves=true'), 'loud'),
  ).toMatchObject({ valves: {} })
  await plugins.api('POST', 'functions/id/loud/valves/update', { key: 'sesame' })
  expect(
    find(await plugins.api('GET', 'functions/export?include_valves=true'), 'loud'),
  ).toMatchObject({ valves: { key: 'sesame' } })
  for (const place of ['functions/export', 'functions/export?include_valves=false'])
    expect(find(await plugins.api('GET', place), 'loud')).not.toHaveProperty('valves')
  await expect(
    plugins.api('GET', 'functions/export?include_valves=true', undefined, member),
  ).rejects.toThrow(/^401/)
  // Members see what is in use, without its source and its author.
  const [shown] = ((await plugins.api('GET', 'functions/', undefined, member)) as Fields[]).filter(
    ({ id }) => id === 'loud',
  )
  expect(shown).not.toHaveProperty('content')
  expect(shown).not.toHaveProperty('user')
})
