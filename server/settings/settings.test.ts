import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settingSchema } from '#contract/settings.ts'
import { parseConfig } from '../config/parse-config.ts'
import { StartError } from '../config/start-error.ts'
import { ServiceError } from '../lib/errors.ts'
import { createSecrets } from '../storage/secrets/secrets.ts'
import { createTestStorage } from '../testing/create-test-storage.ts'
import { settingDefinitions } from './definitions.ts'
import type { SettingDefinition } from './setting-definition.ts'
import { describeConfiguration, GatewaySettings, type SettingName } from './index.ts'
import { parseValue } from './parse-value.ts'
import { readWholeDatabase } from '../testing/read-whole-database.ts'

type SettingsDependencies = Parameters<typeof GatewaySettings.open>[0]
type Environment = Record<string, string>

async function prepare(environment: Environment = {}, more: Partial<SettingsDependencies> = {}) {
  const dependencies = {
    storage: createTestStorage(),
    secrets: createSecrets('root'),
    config: parseConfig(environment),
    ...more,
  }
  return { ...dependencies, settings: await GatewaySettings.open(dependencies) }
}

async function catchError(work: () => Promise<void>): Promise<unknown> {
  try {
    await work()
    return null
  } catch (error) {
    return error
  }
}

/** Reads a setting of the test's own table, whose name the types do not know. */
const readOwn = (settings: GatewaySettings, key: string): unknown =>
  settings.get(key as SettingName)

const rowOf = ({ settings }: Awaited<ReturnType<typeof prepare>>, key: string) =>
  settings.describe().find((row) => row.key === key)

describe('settings', () => {
  it('take the default, which may differ between the app and a server', async () => {
    expect((await prepare()).settings.get('ENABLE_API_KEYS')).toBe(false)
    expect(
      (await prepare({}, { config: parseConfig({}, { mode: 'desktop' }) })).settings.get(
        'ENABLE_API_KEYS',
      ),
    ).toBe(true)
  })

  it('say what they take, for a choice or a number with bounds', async () => {
    expect(rowOf(await prepare(), 'DEFAULT_USER_ROLE')).toMatchObject({
      allowed: ['pending', 'user', 'admin'],
    })
    expect(rowOf(await prepare(), 'HYBRID_BM25_WEIGHT')).toMatchObject({ minimum: 0, maximum: 1 })
    expect(rowOf(await prepare(), 'JWT_EXPIRES_IN')).not.toHaveProperty('allowed')
    expect(settingSchema.array().safeParse((await prepare()).settings.describe()).success).toBe(
      true,
    )
  })

  it('take the environment over the default and the stored value over both', async () => {
    const prepared = await prepare({ JWT_EXPIRES_IN: '1h' })
    expect(rowOf(prepared, 'JWT_EXPIRES_IN')).toMatchObject({
      value: '1h',
      default: '4w',
      origin: 'environment',
      locked: false,
    })
    await prepared.settings.update({ JWT_EXPIRES_IN: '2d' })
    expect(rowOf(prepared, 'JWT_EXPIRES_IN')).toMatchObject({ value: '2d', origin: 'stored' })
    await prepared.settings.update({ JWT_EXPIRES_IN: null })
    expect(rowOf(prepared, 'JWT_EXPIRES_IN')).toMatchObject({ value: '1h', origin: 'environment' })
  })

  it('keep stored values across a restart', async () => {
    const before = await prepare()
    await before.settings.update({
      ENABLE_SIGNUP: false,
      UPSTREAM_IDLE_TIMEOUT: 7,
      CORS_ALLOW_ORIGIN: ['https://a.example'],
    })
    const { settings } = await prepare({}, { storage: before.storage })
    expect(settings.get('ENABLE_SIGNUP')).toBe(false)
    expect(settings.get('UPSTREAM_IDLE_TIMEOUT')).toBe(7)
    expect(settings.get('CORS_ALLOW_ORIGIN')).toEqual(['https://a.example'])
  })

  it('let the environment win when ENABLE_PERSISTENT_CONFIG=false', async () => {
    const { storage, settings } = await prepare()
    await settings.update({ ENABLE_SIGNUP: false, WEBUI_NAME: 'Stored' })
    const prepared = await prepare(
      { ENABLE_PERSISTENT_CONFIG: 'false', ENABLE_SIGNUP: 'yes' },
      { storage },
    )
    expect(rowOf(prepared, 'ENABLE_SIGNUP')).toMatchObject({
      value: true,
      origin: 'environment',
      locked: true,
    })
    expect(rowOf(prepared, 'WEBUI_NAME')).toMatchObject({
      value: 'Stored',
      origin: 'stored',
      locked: false,
    })
  })

  it.each(['true', '1', 'yes', 'TRUE'])('read %s as true', async (text) => {
    expect((await prepare({ OFFLINE_MODE: text })).settings.get('OFFLINE_MODE')).toBe(true)
  })

  it.each(['false', '0', 'no', 'No'])('read %s as false', async (text) => {
    expect((await prepare({ ENABLE_SIGNUP: text })).settings.get('ENABLE_SIGNUP')).toBe(false)
  })

  it('split lists at commas and semicolons', async () => {
    const { settings } = await prepare({
      API_KEYS_ALLOWED_ENDPOINTS: ' /api/models ,/api/chat;; /api/models',
    })
    expect(settings.get('API_KEYS_ALLOWED_ENDPOINTS')).toEqual(['/api/models', '/api/chat'])
  })

  it('keep requirements of packages together, so that the list of base packages can be copied out and in', async () => {
    const { settings } = await prepare({})
    const packages = settings.get('PLUGIN_BASE_PACKAGES')
    expect(packages).toContain('pydantic>=2.7,<3')
    const copied = await prepare({ PLUGIN_BASE_PACKAGES: packages.join(',') })
    expect(copied.settings.get('PLUGIN_BASE_PACKAGES')).toEqual(packages)
    const more =
      'pydantic >=2.7 , < 3; httpx[http2,socks]~=0.27,!=0.28 ;tomli; python_version < "3.11", rich'
    expect(
      (await prepare({ PLUGIN_BASE_PACKAGES: more })).settings.get('PLUGIN_BASE_PACKAGES'),
    ).toEqual([
      'pydantic >=2.7 , < 3',
      'httpx[http2,socks]~=0.27,!=0.28',
      'tomli; python_version < "3.11"',
      'rich',
    ])
  })

  it('treat an empty variable as unset where emptiness is no value, and as empty where it is', async () => {
    const greeting: SettingDefinition = {
      key: 'GREETING',
      name: 'Name',
      type: 'string',
      default: 'Hello',
      help: 'Said first.',
    }
    const environment = { ENABLE_SIGNUP: '', JWT_EXPIRES_IN: '', TRUSTED_PROXIES: '', GREETING: '' }
    const { settings } = await prepare(environment, {
      definitions: [...settingDefinitions, greeting],
    })
    expect(settings.get('ENABLE_SIGNUP')).toBe(true)
    expect(settings.get('JWT_EXPIRES_IN')).toBe('4w')
    expect(settings.get('TRUSTED_PROXIES')).toEqual([])
    expect(readOwn(settings, 'GREETING')).toBe('')
  })

  it('stop the start with variable, value and what is allowed', async () => {
    const start = () => prepare({ DEFAULT_USER_ROLE: 'root' })
    await expect(start).rejects.toThrow(StartError)
    await expect(start).rejects.toThrow(
      'DEFAULT_USER_ROLE="root" is not possible. It must be one of pending, user, admin.',
    )
  })

  it.each([
    ['ENABLE_SIGNUP', 'perhaps'],
    ['ENABLE_SIGNUP', 2],
    ['ENABLE_SIGNUP', ['true']],
    ['UPSTREAM_IDLE_TIMEOUT', 0],
    ['UPSTREAM_IDLE_TIMEOUT', 1.5],
    ['UPSTREAM_IDLE_TIMEOUT', '1e2'],
    ['UPSTREAM_IDLE_TIMEOUT', true],
    ['JWT_EXPIRES_IN', 'soon'],
    ['CORS_ALLOW_ORIGIN', ['*']],
    ['CORS_ALLOW_ORIGIN', 'https://a.example/path'],
    ['WEBUI_URL', 'javascript:alert(1)'],
    ['CUSTOM_API_KEY_HEADER', 'x api key'],
    ['WEBUI_NAME', ' '],
    ['WEBUI_NAME', 7],
    ['TASK_MODEL', 'x'.repeat(1_000_000)],
    ['ENABLE_PERSISTENT_CONFIG', false],
    ['NO_SUCH_SETTING', 1],
    ['__proto__x', 1],
    ['constructor', 'x'],
  ])('refuse %s=%o with 400 and change nothing', async (key, value) => {
    const { settings } = await prepare()
    const before = settings.describe()
    const update = () => settings.update({ OFFLINE_MODE: true, [key]: value })
    await expect(update).rejects.toThrow(
      expect.objectContaining({ status: 400, message: expect.stringContaining(key) }),
    )
    expect(settings.describe()).toEqual(before)
  })

  it('never fail in another way, whatever is sent', async () => {
    const { settings } = await prepare()
    const keys = fc.constantFrom(...settingDefinitions.map(({ key }) => key), 'toString', '')
    const values = fc.oneof(
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.array(fc.string()),
      fc.constant(null),
    )
    await fc.assert(
      fc.asyncProperty(keys, values, async (key, value) => {
        const failure = await catchError(() => settings.update({ [key]: value }))
        expect(failure === null || failure instanceof ServiceError).toBe(true)
        for (const row of settings.describe()) settingSchema.parse(row)
      }),
      { numRuns: 500 },
    )
  })

  it('tell listeners which keys changed', async () => {
    const { settings } = await prepare()
    const heard: string[] = []
    settings.onChange(async (keys) => void heard.push(...keys))
    await settings.update({ ENABLE_SIGNUP: false, OFFLINE_MODE: null })
    expect(heard).toEqual(['ENABLE_SIGNUP', 'OFFLINE_MODE'])
  })

  it('ignore stored values that no longer fit, are damaged or belong to a setting that is gone', async () => {
    const { storage } = await prepare()
    const insert = storage.builder.insertInto('setting')
    await storage.run(insert.values({ key: 'GONE', value: '1', updated_at: 1 }))
    await storage.run(insert.values({ key: 'DEFAULT_USER_ROLE', value: '"root"', updated_at: 1 }))
    await storage.run(insert.values({ key: 'ENABLE_SIGNUP', value: 'fal"e', updated_at: 1 }))
    expect((await prepare({}, { storage })).settings.get('DEFAULT_USER_ROLE')).toBe('pending')
  })
})

describe('secret settings', () => {
  const definitions: SettingDefinition[] = [
    {
      key: 'MAIL_PASSWORD',
      name: 'Name',
      type: 'string',
      default: '',
      secret: true,
      help: 'Password.',
    },
  ]

  it('are encrypted at rest and never described with their value', async () => {
    const prepared = await prepare({}, { definitions })
    expect(rowOf(prepared, 'MAIL_PASSWORD')).toMatchObject({ value: null, is_set: false })
    await prepared.settings.update({ MAIL_PASSWORD: 'planted-secret' })
    expect(rowOf(prepared, 'MAIL_PASSWORD')).toMatchObject({
      value: null,
      default: null,
      is_set: true,
      origin: 'stored',
    })
    const stored = await readWholeDatabase(prepared.storage)
    expect(stored).toContain('MAIL_PASSWORD')
    expect(stored).not.toContain('planted-secret')
    expect(
      readOwn(
        (await prepare({}, { definitions, storage: prepared.storage })).settings,
        'MAIL_PASSWORD',
      ),
    ).toBe('planted-secret')
  })

  it('fall back when the root secret is another one, without losing the stored text', async () => {
    const { storage, settings } = await prepare({}, { definitions })
    await settings.update({ MAIL_PASSWORD: 'planted-secret' })
    expect(
      readOwn(
        (await prepare({}, { definitions, storage, secrets: createSecrets('other') })).settings,
        'MAIL_PASSWORD',
      ),
    ).toBe('')
    expect(readOwn((await prepare({}, { definitions, storage })).settings, 'MAIL_PASSWORD')).toBe(
      'planted-secret',
    )
  })
})

describe('the table of settings', () => {
  it('names every key once, with a default its own row accepts and a sentence of help', async () => {
    expect(new Set(settingDefinitions.map(({ key }) => key)).size).toBe(settingDefinitions.length)
    for (const definition of settingDefinitions) {
      const { key, default: value } = definition
      const defaults =
        typeof value === 'object' && value !== null && 'desktop' in value
          ? [value.desktop, value.server]
          : [value]
      for (const each of defaults)
        expect({ key, value: parseValue(definition, each) }).toEqual({ key, value: each })
      expect(definition.help).toMatch(/\.$/)
    }
  })

  it('is rendered with the variables of the start as one markdown table', async () => {
    const lines = describeConfiguration().trimEnd().split('\n')
    const columns = lines.map((line) => line.replaceAll('\\|', '').split('|').length)
    expect(new Set(columns)).toEqual(new Set([6]))
    expect(lines.filter((line) => /^\| `(PORT|ENABLE_SIGNUP)` \|/.test(line))).toHaveLength(2)
  })
})
