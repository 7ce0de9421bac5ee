import type { Session } from 'electron'
import { expect, test } from 'vitest'
import { secureSession } from './security.ts'

const ORIGIN = 'http://127.0.0.1:8642'

type Handler = (...values: never[]) => unknown

/** A session with the handlers set by the app. */
function secureFakeSession() {
  const handlers = new Map<string, Handler>()
  const keep =
    (name: string) =>
    (handler: Handler): void =>
      void handlers.set(name, handler)
  secureSession(
    {
      setPermissionRequestHandler: keep('request'),
      setPermissionCheckHandler: keep('check'),
      setDevicePermissionHandler: keep('device'),
      webRequest: { onBeforeRequest: keep('before') },
    } as unknown as Session,
    {
      pageOrigin: () => ORIGIN,
      gatewayOrigin: () => ORIGIN,
      allowsDevTools: false,
      traffic: { follow: () => undefined, expect: () => undefined },
      mayLeave: () => Promise.resolve(false),
    },
  )
  const call = (name: string, ...values: unknown[]) => handlers.get(name)!(...(values as never[]))
  return {
    ask(details: object): unknown {
      let answer: unknown
      const usual = { requestingUrl: `${ORIGIN}/c/1`, isMainFrame: true }
      call('request', null, 'media', (value: unknown) => (answer = value), { ...usual, ...details })
      return answer
    },
    check: (mediaType: string, origin = ORIGIN, isMainFrame = true) =>
      call('check', null, 'media', origin, { isMainFrame, mediaType }),
  }
}

test('the own page may hear the microphone', () => {
  const session = secureFakeSession()
  expect(session.ask({ mediaTypes: ['audio'] })).toBe(true)
  expect(session.check('audio')).toBe(true)
})

test('nothing sees through the camera, with sound or without', () => {
  const session = secureFakeSession()
  for (const mediaTypes of [[], ['video'], ['audio', 'video']])
    expect(session.ask({ mediaTypes })).toBe(false)
  expect(session.ask({})).toBe(false)
  expect(session.check('video')).toBe(false)
  expect(session.check('unknown')).toBe(false)
})

test('frames and other pages hear nothing', () => {
  const session = secureFakeSession()
  const mediaTypes = ['audio']
  expect(session.ask({ mediaTypes, isMainFrame: false })).toBe(false)
  expect(session.ask({ mediaTypes, requestingUrl: 'https://example.org/' })).toBe(false)
  expect(session.check('audio', 'https://example.org')).toBe(false)
  expect(session.check('audio', ORIGIN, false)).toBe(false)
})
