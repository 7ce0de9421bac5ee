import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settingDefinitions } from '../settings/definitions.ts'
import { isSecretName, LARGEST_BODY, redactBody, redactPath } from './redact.ts'

/** A secret that no other text contains by chance. */
const secret = fc.stringMatching(/^[A-Za-z0-9+/_-]{24,60}$/)
const secretName = fc.constantFrom(
  'password',
  'new_password',
  'Authorization',
  'api_key',
  'apiKey',
  'key',
  'access_token',
  'token',
  'client_secret',
  'Set-Cookie',
  'x-api-key',
  'OPENAI_API_KEYS',
  'headers',
)
const plainName = fc.constantFrom(
  'model',
  'messages',
  'content',
  'role',
  'title',
  'data',
  'max_tokens',
)

/**
 * A JSON value with the secret somewhere inside, under a telling name or in the form of a
 * credential.
 */
const withSecret = (value: string): fc.Arbitrary<unknown> =>
  fc.letrec<{ place: unknown }>((tie) => ({
    place: fc.oneof(
      { depthSize: 'small' },
      fc
        .tuple(secretName, fc.constantFrom<unknown>(value, [value], { inner: value }))
        .map(([name, hidden]) => ({ [name]: hidden })),
      fc.constant(`Use sk-${value.replaceAll(/[+/]/g, 'x')} for it`),
      fc.constant(`Authorization: Bearer ${value}`),
      fc.tuple(plainName, tie('place')).map(([name, place]) => ({ role: 'user', [name]: place })),
      tie('place').map((place) => ['text', place, 1]),
    ),
  })).place

describe('redaction', () => {
  it('lets no secret of a generated request through, as JSON, cut off anywhere, or inside a stream of events', () => {
    const sample = secret.chain((value) =>
      fc.tuple(fc.constant(value), withSecret(value), fc.double({ min: 0, max: 1, noNaN: true })),
    )
    fc.assert(
      fc.property(sample, ([value, body, cut]) => {
        const text = JSON.stringify(body)
        const hidden = value.replaceAll(/[+/]/g, 'x')
        for (const form of [
          text,
          `data: ${text}\n\ndata: [DONE]\n\n`,
          text.slice(0, Math.ceil(text.length * cut)),
        ]) {
          const { text: shown } = redactBody(form)
          expect(shown.includes(value) || shown.includes(hidden)).toBe(false)
        }
        expect(redactBody(text).isWhole).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })

  it('leaves what is no secret as it was, so that it can be sent again', () => {
    fc.assert(
      fc.property(
        fc.dictionary(plainName, fc.jsonValue({ maxDepth: 3, noUnicodeString: true })),
        (body) => {
          const text = JSON.stringify(body)
          fc.pre(
            text.length < 10_000 &&
              !/key|token|secret|auth|code|pwd|header|cookie|sign/i.test(text),
          )
          expect(redactBody(text)).toEqual({ text, isWhole: true })
        },
      ),
    )
    const counts = '{"max_tokens":5,"usage":{"prompt_tokens":1,"total_tokens":2}}'
    expect(redactBody(counts)).toEqual({ text: counts, isWhole: true })
  })

  it('cuts embedded files, long texts and long bodies, and what is left of JSON is JSON', () => {
    const image = `data:image/png;base64,${'A'.repeat(5000)}`
    expect(redactBody(JSON.stringify({ url: image }))).toEqual({
      text: '{"url":"data:image/png;base64,[cut]"}',
      isWhole: false,
    })
    const long = JSON.stringify({
      messages: Array.from({ length: 5000 }, (_, id) => ({ id, content: 'word '.repeat(10) })),
    })
    const cut = redactBody(long)
    expect(cut.text.length).toBeLessThan(LARGEST_BODY * 2)
    expect(cut.isWhole).toBe(false)
    expect(() => JSON.parse(cut.text) as unknown).not.toThrow()
    expect(redactBody('x'.repeat(LARGEST_BODY + 1)).isWhole).toBe(false)
  })

  it('survives deep nesting and names that mean something to JavaScript', () => {
    expect(redactBody(`${'['.repeat(50_000)}${']'.repeat(50_000)}`).isWhole).toBe(false)
    const text = '{"__proto__":{"constructor":1}}'
    expect(redactBody(text)).toEqual({ text, isWhole: true })
  })

  it('masks secrets of a query', () => {
    expect(redactPath('/api/x?token=abc&page=2&api%5Fkey=1')).toBe(
      '/api/x?token=[redacted]&page=2&api%5Fkey=[redacted]',
    )
    expect(redactPath('/api/v1/channels/webhooks/one/abc')).toBe(
      '/api/v1/channels/webhooks/one/[redacted]',
    )
    expect(redactPath('/api/v1//channels//webhooks/one//abc/?x=1')).toBe(
      '/api/v1//channels//webhooks/one//[redacted]/?x=1',
    )
    expect(redactPath('/api/v1/channels/webhooks/one/profile/image')).toBe(
      '/api/v1/channels/webhooks/one/profile/image',
    )
    expect(redactPath('/api/v1/automations/hooks/one/abc?x=1')).toBe(
      '/api/v1/automations/hooks/one/[redacted]?x=1',
    )
    expect(redactPath('/oauth/oidc/callback?code=abc&state=def&iss=https%3A%2F%2Fx')).toBe(
      '/oauth/oidc/callback?code=[redacted]&state=[redacted]&iss=https%3A%2F%2Fx',
    )
    expect(redactPath('/api/x/sk-abcdefghijkl')).toBe('/api/x/[redacted]')
    expect(redactPath('/api/x?%zz=1')).toBe('/api/x?%zz=1')
  })

  it('masks every setting that is a secret and stands in the configuration of a domain', () => {
    const shown = settingDefinitions.filter(
      ({ key, secret: isSecret }) =>
        isSecret && /^(AUDIO|AUTOMATIC1111|COMFYUI|IMAGES|RAG)_/.test(key),
    )
    expect(shown.length).toBeGreaterThan(10)
    expect(shown.map(({ key }) => key).filter((key) => !isSecretName(key))).toEqual([])
  })

  it.each([
    'max_tokens',
    'total_tokens',
    'model',
    'keyboard',
    'monkey',
    'tokens',
    'author',
    'oauth',
    'encode',
  ])('takes %s for no secret', (name) => {
    expect(isSecretName(name)).toBe(false)
  })
})
