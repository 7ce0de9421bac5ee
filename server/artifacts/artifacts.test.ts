import { describe, expect, it } from 'vitest'
import { ARTIFACT_LIMITS } from '#contract/artifacts.ts'
import { startLibrary } from '../testing/start-library.ts'

const ROOT = 'artifacts/networks'
const WEATHER = 'https://api.weather.example'

type Library = Awaited<ReturnType<typeof startLibrary>>

async function startChat(environment: Readonly<Record<string, string>> = {}) {
  const library = await startLibrary(environment)
  const { body } = await library.call('owner', 'chats/new', { body: { chat: { title: 'Pages' } } })
  const place = { chat_id: body.id as string, artifact_id: 'a1:0' }
  const allow = (name: 'owner' | 'other' | 'admin', more: object = {}) =>
    library.call(name, `${ROOT}/allow`, { body: { ...place, origins: [WEATHER], ...more } })
  return { ...library, place, allow }
}

const originsOf = ({ server }: Library, ticket: string): readonly string[] =>
  server.context.artifacts.originsOf(ticket)

describe('the network of an artifact', () => {
  it('is remembered with the chat, told by a ticket, and taken back', async () => {
    const chat = await startChat()
    const { call, place } = chat
    const allowed = await chat.allow('owner')
    expect(allowed.body).toEqual({ origins: [WEATHER], ticket: expect.any(String) })
    expect(originsOf(chat, allowed.body.ticket)).toEqual([WEATHER])
    expect((await call('owner', `${ROOT}/?chat_id=${place.chat_id}`)).body).toEqual([
      { artifact_id: 'a1:0', origins: [WEATHER] },
    ])
    const other = 'http://data.example:8080'
    await chat.allow('owner', { origins: [other, other] })
    const opened = await call('owner', `${ROOT}/open`, { body: place })
    expect(originsOf(chat, opened.body.ticket)).toEqual([other])
    expect((await call('owner', `${ROOT}/revoke`, { body: place })).body).toBe(true)
    expect((await call('owner', `${ROOT}/revoke`, { body: place })).body).toBe(false)
    expect((await call('owner', `${ROOT}/open`, { body: place })).body).toEqual({
      origins: [],
      ticket: null,
    })
  })

  it('is a matter of the owner alone, and goes with the chat', async () => {
    const chat = await startChat()
    const { call, place } = chat
    await chat.allow('owner')
    for (const name of ['other', 'admin'] as const) {
      expect((await chat.allow(name)).status).toBe(404)
      expect((await call(name, `${ROOT}/?chat_id=${place.chat_id}`)).status).toBe(404)
      expect((await call(name, `${ROOT}/open`, { body: place })).status).toBe(404)
      expect((await call(name, `${ROOT}/revoke`, { body: place })).status).toBe(404)
    }
    await call('owner', `chats/${place.chat_id}`, { method: 'DELETE' })
    expect((await call('owner', `${ROOT}/open`, { body: place })).status).toBe(404)
  })

  it('is told without being kept for a conversation that is stored nowhere', async () => {
    const chat = await startChat()
    const { ticket } = (await chat.allow('owner', { chat_id: null })).body
    expect(originsOf(chat, ticket)).toEqual([WEATHER])
    expect((await chat.call('owner', `${ROOT}/?chat_id=${chat.place.chat_id}`)).body).toEqual([])
  })

  it('is only what a policy can name without holding anything else', async () => {
    const chat = await startChat()
    for (const origin of [
      'https://a.example; script-src *',
      "https://a.example 'unsafe-inline'",
      'https://*.example',
      'https://a.example/path',
      'https://user@a.example',
      'ftp://a.example',
      '*',
      'https:',
      'data:',
      'https://A.example',
    ])
      expect((await chat.allow('owner', { origins: [origin] })).status, origin).toBe(422)
  })

  it('has a bound for addresses and for artifacts of a chat', async () => {
    const chat = await startChat()
    const many = Array.from({ length: 13 }, (_, at) => `https://a${at}.example`)
    expect((await chat.allow('owner', { origins: many })).status).toBe(422)
    for (let at = 0; at < ARTIFACT_LIMITS.ofChat; at += 1)
      expect((await chat.allow('owner', { artifact_id: `a:${at}` })).status).toBe(200)
    expect((await chat.allow('owner', { artifact_id: 'one more' })).status).toBe(409)
    expect((await chat.allow('owner', { artifact_id: 'a:7' })).status).toBe(200)
  })

  it.each(['SEALED_MODE', 'OFFLINE_MODE'])('is none with %s, whatever was allowed', async (key) => {
    const chat = await startChat()
    const { ticket } = (await chat.allow('owner')).body
    await chat.server.context.settings.update({ [key]: true })
    expect(originsOf(chat, ticket)).toEqual([])
    expect((await chat.allow('owner')).status).toBe(403)
    expect((await chat.call('owner', `${ROOT}/open`, { body: chat.place })).body).toEqual({
      origins: [WEATHER],
      ticket: null,
    })
    await chat.server.context.settings.update({ [key]: false })
    expect(originsOf(chat, ticket)).toEqual([WEATHER])
  })
})

it('forged, changed and old tickets hold nothing', async () => {
  const chat = await startChat()
  const { ticket } = (await chat.allow('owner')).body as { ticket: string }
  const [written = '', signature] = ticket.split('.')
  const content = { origins: ['https://elsewhere.example'], ends_at: 9_999_999_999 }
  const changed = Buffer.from(JSON.stringify(content)).toString('base64url')
  for (const forged of ['', '.', written, `${written}.`, `${changed}.${signature}`, `${ticket}x.`])
    expect(originsOf(chat, forged), forged).toEqual([])
  const later = Date.now() + 3 * 60_000
  const { now } = Date
  try {
    Date.now = () => later
    expect(originsOf(chat, ticket)).toEqual([])
  } finally {
    Date.now = now
  }
})
