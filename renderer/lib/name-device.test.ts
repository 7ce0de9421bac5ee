import { expect, test } from 'vitest'
import { nameDevice } from './name-device.ts'

test('a browser that pretends to be others is called by its own name', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  expect(nameDevice(chrome)).toBe('Chrome · Linux')
  expect(nameDevice(`${chrome} Edg/140.0`)).toBe('Edge · Linux')
  expect(
    nameDevice(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1',
    ),
  ).toBe('Safari · iPhone')
  expect(
    nameDevice(
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Electron/45.0 Chrome/140.0 Safari/537.36',
    ),
  ).toBe('Chat Gateway · macOS')
})

test('a program is called by its own name, and nothing by none', () => {
  expect(nameDevice('curl/8.1')).toBe('curl')
  expect(nameDevice('')).toBe('')
})
