import type { Session } from 'electron'
import { expect, test } from 'vitest'
import { secureSession } from './security.ts'

const ORIGIN = 'http://127.0.0.1:8642'

type Decide = (decision: { cancel: boolean }) => void

/** Returns the decisions about requests, and those that were expected to leave. */
async function request(isSealed: boolean, requests: readonly object[]) {
  const expected: unknown[] = []
  const { promise, resolve } = Promise.withResolvers<(details: object, decide: Decide) => void>()
  const ignore = (): void => undefined
  secureSession(
    {
      setPermissionRequestHandler: ignore,
      setPermissionCheckHandler: ignore,
      setDevicePermissionHandler: ignore,
      webRequest: { onBeforeRequest: resolve },
    } as unknown as Session,
    {
      pageOrigin: () => ORIGIN,
      gatewayOrigin: () => ORIGIN,
      allowsDevTools: false,
      traffic: {
        follow: ignore,
        expect: ({ url, sent }, purpose) => void expected.push([url, sent, purpose]),
      },
      mayLeave: async ({ host }) => !isSealed && host.endsWith('.example.org'),
    },
  )
  const handle = await promise
  const cancelled = await Promise.all(
    requests.map(
      (details) => new Promise<boolean>((done) => handle(details, ({ cancel }) => done(cancel))),
    ),
  )
  return { cancelled, expected }
}

const REQUESTS = [
  {
    url: 'https://tools.example.org/a',
    resourceType: 'xhr',
    frame: { url: `${ORIGIN}/api/v1/tool_servers/frame` },
    uploadData: [{ bytes: Buffer.alloc(7) }, { bytes: Buffer.alloc(3) }],
  },
  {
    url: 'https://files.example.org/b.js',
    resourceType: 'script',
    frame: { url: `${ORIGIN}/frames/artifact.html?network=1` },
  },
  { url: `${ORIGIN}/api/config`, resourceType: 'xhr', frame: { url: `${ORIGIN}/` } },
]

test('what leaves the app is reported with its reason and size', async () => {
  const { cancelled, expected } = await request(false, REQUESTS)
  expect(cancelled).toEqual([false, false, false])
  expect(expected).toEqual([
    ['https://tools.example.org/a', 10, 'tool_server'],
    ['https://files.example.org/b.js', 0, 'window'],
  ])
})

test('while the gateway is sealed nothing leaves the app', async () => {
  const { cancelled, expected } = await request(true, REQUESTS)
  expect(cancelled).toEqual([true, true, false])
  expect(expected).toEqual([])
})
