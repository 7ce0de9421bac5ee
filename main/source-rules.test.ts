import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

const sources = ['main', 'preload'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => ({
      name: `${folder}/${name.replaceAll('\\', '/')}`,
      text: readFileSync(path.join(root, folder, name), 'utf8'),
    })),
)

const filesWith = (pattern: RegExp): string[] =>
  sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name)

test('no window weakens what the browser protects', () => {
  const weakened = [
    /webSecurity:(?! true)/,
    /allowRunningInsecureContent|experimentalFeatures|enableBlinkFeatures|disableBlinkFeatures/,
    /nodeIntegration\w*:(?! false)/,
    /contextIsolation:(?! true)/,
    /webviewTag:(?! false)/,
    /(?<!hasSwitch\(')no-sandbox|setCertificateVerifyProc|certificate-error/,
    /executeJavaScript|insertCSS/,
  ]
  for (const pattern of weakened) expect(filesWith(pattern), String(pattern)).toEqual([])
})

test('windows, outside addresses, child processes and the environment each have one place', () => {
  expect(filesWith(/new BrowserWindow\(/)).toEqual(['main/windows/windows.ts'])
  expect(filesWith(/new WebContentsView\(/)).toEqual(['main/gateway/code-windows.ts'])
  expect(filesWith(/shell\.openExternal\(/)).toEqual(['main/security/external-links.ts'])
  expect(filesWith(/node:child_process|utilityProcess\.fork/)).toEqual([
    'main/gateway/gateway-programs.ts',
    'main/gateway/gateway.ts',
    'main/updates/start-program.ts',
  ])
  expect(filesWith(/process\.env\b/)).toEqual(['main/launch/environment.ts'])
  expect(filesWith(/ipcMain\.(handle|on)\(/)).toEqual(['main/ipc/answer-requests.ts'])
  expect(filesWith(/exposeInMainWorld\(/)).toEqual(['preload/bridge.ts'])
})

test('the shell imports nothing of the server or the interface, and the bridge nothing but Electron', () => {
  expect(filesWith(/from '(#contract|\.\.\/(\.\.\/)*(server|renderer))\//)).toEqual([])
  const bridge = sources.find(({ name }) => name === 'preload/bridge.ts')!
  expect([...bridge.text.matchAll(/from '([^']+)'/g)].map(([, source]) => source)).toEqual([
    'electron',
    './names.ts',
  ])
})

test('no file: address is ever loaded', () => {
  expect(filesWith(/loadFile\(|file:\/\//)).toEqual([])
})
