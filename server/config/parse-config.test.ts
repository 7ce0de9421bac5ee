import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defaultDataFolder, secretFolders } from './default-data-folder.ts'
import { removeDiscovery, writeDiscovery } from './discovery.ts'
import { parseConfig } from './parse-config.ts'
import { StartError } from './start-error.ts'

describe('the configuration', () => {
  it('has defaults for everything', () => {
    expect(parseConfig({})).toMatchObject({
      mode: 'server',
      isDevelopment: false,
      host: '127.0.0.1',
      port: 8642,
      logLevel: 'info',
      secretKey: null,
      databaseRecovery: null,
      databaseServer: null,
      metricsAddress: null,
      traceReceiver: null,
      productVersion: expect.stringMatching(/^\d+\.\d+\.\d+/),
      apiVersion: '0.9.6',
    })
  })

  it('takes every variable from the environment', () => {
    const environment = {
      HOST: '[::1]',
      PORT: '0',
      DATA_DIR: 'some/folder',
      UI_DIR: '',
      WEBUI_SECRET_KEY: 'secret',
      ENV: 'dev',
      GLOBAL_LOG_LEVEL: 'WARNING',
      DATABASE_RECOVERY: 'restore',
    }
    expect(parseConfig(environment)).toMatchObject({
      environment,
      isDevelopment: true,
      host: '::1',
      port: 0,
      dataDir: path.resolve('some/folder'),
      uiDir: null,
      logLevel: 'warn',
      secretKey: 'secret',
      databaseRecovery: 'restore',
      databaseServer: null,
      metricsAddress: null,
      traceReceiver: null,
    })
  })

  it('lets overrides win over the environment', () => {
    expect(parseConfig({ PORT: '1' }, { port: 2, mode: 'desktop' })).toMatchObject({
      port: 2,
      mode: 'desktop',
    })
  })

  it.each([
    ['HOST', 'http://localhost'],
    ['HOST', '127.0.0.1:80'],
    ['HOST', '300.1.2.3'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80a'],
    ['PORT', '1e3'],
    ['ENV', 'staging'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_LEVEL', 'constructor'],
    ['DATABASE_RECOVERY', 'delete'],
    ['ENABLE_WEBSOCKET_SUPPORT', 'perhaps'],
  ])('refuses %s=%s with variable, value and what is allowed', (name, value) => {
    const parse = () => parseConfig({ [name]: value })
    expect(parse).toThrow(StartError)
    expect(parse).toThrow(new RegExp(`${name}="${value.replaceAll('.', '\\.')}".*Allowed: `))
  })
})

describe('the default data folder', () => {
  const home = '/home/ada'
  it.each([
    ['linux', {}, '/home/ada/.local/share/chat-gateway'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/chat-gateway'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '/home/ada/.local/share/chat-gateway'],
    ['darwin', {}, '/home/ada/Library/Application Support/Chat Gateway'],
    [
      'win32',
      { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
      'C:\\Users\\ada\\AppData\\Roaming\\Chat Gateway',
    ],
  ] as const)('follows the custom of %s with %o', (platform, environment, expected) => {
    expect(defaultDataFolder(environment, { platform, homeFolder: home })).toBe(expected)
  })
})

it('knows where gateways and keychains of the account keep secrets', () => {
  const folders = [
    '/data/chat-gateway',
    '/home/ada/.config/Chat Gateway',
    '/data/keyrings',
    '/data/kwalletd',
  ]
  expect(
    secretFolders({ XDG_DATA_HOME: '/data' }, { platform: 'linux', homeFolder: '/home/ada' }),
  ).toEqual(folders)
  expect(parseConfig({ XDG_DATA_HOME: '/data' }).closedFolders).toEqual(
    secretFolders(
      { XDG_DATA_HOME: '/data' },
      { platform: process.platform, homeFolder: homedir() },
    ),
  )
})

describe('the discovery file', () => {
  it('says where the gateway answers, to its owner only, and goes away at exit', () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'gateway-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true }))
    const config = parseConfig({}, { dataDir })
    writeDiscovery(config, 'http://127.0.0.1:8642')
    expect(readdirSync(dataDir)).toEqual(['gateway.json'])
    const file = path.join(dataDir, 'gateway.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      url: 'http://127.0.0.1:8642',
      pid: process.pid,
      started_at: expect.any(Number),
      version: config.productVersion,
      api_version: '0.9.6',
    })
    removeDiscovery(config)
    removeDiscovery(config)
    expect(readdirSync(dataDir)).toEqual([])
  })
})
