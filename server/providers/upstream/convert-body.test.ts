import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rewriteModel, serializeBody, stripGatewayFields } from './convert-body.ts'

const rewrite = async (text: string, model: string): Promise<Buffer> => {
  const bytes = Buffer.from(text)
  const result = await rewriteModel(bytes, JSON.parse(text) as Record<string, unknown>, model)
  expect(result === bytes || result.toString() !== text).toBe(true)
  return result
}

describe('request bodies on their way to an upstream', () => {
  it('stay the very same bytes when nothing changes', async () => {
    const bytes = Buffer.from(
      '{ "model":"m",  "messages":[{"role":"user","content":"say \\"model\\""}], "temperature":1.0 }',
    )
    expect(
      await rewriteModel(bytes, JSON.parse(bytes.toString()) as Record<string, unknown>, 'm'),
    ).toBe(bytes)
  })

  it('get the model id of the upstream', async () => {
    expect(
      JSON.parse((await rewrite('{"model":"prefix.m","messages":[]}', 'm')).toString()),
    ).toEqual({ model: 'm', messages: [] })
  })

  it('lose the fields that only the gateway reads', async () => {
    const body = {
      model: 'm',
      messages: [],
      chat_id: 'c',
      id: 'i',
      session_id: 's',
      features: {},
      tool_ids: [],
      tools: [1],
      stream_options: {},
    }
    expect(JSON.parse((await rewrite(JSON.stringify(body), 'm')).toString())).toEqual({
      model: 'm',
      messages: [],
      tools: [1],
      stream_options: {},
    })
  })

  it.each([
    '{"model":"secret","messages":[],"model":"m"}',
    '{"\\u006dodel":"secret","messages":[],"model":"m"}',
  ])('cannot name a second model that another parser would read: %s', async (text) =>
    expect((await rewrite(text, 'm')).toString()).toBe('{"model":"m","messages":[]}'),
  )

  it('rows 12 and 13: cannot choose the target or its credentials', async () => {
    const names = fc.constantFrom(
      'api_base',
      'base_url',
      'url',
      'headers',
      'proxy',
      'api_key',
      'extra_headers',
      'organization',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(names, fc.jsonValue()),
        fc.jsonValue(),
        async (fields, nested) => {
          const body = { model: 'm', messages: [{ role: 'user', content: nested }], ...fields }
          const sent = JSON.parse(
            (await rewriteModel(await serializeBody(body), body, 'm')).toString(),
          ) as object
          expect(sent).toEqual(JSON.parse(JSON.stringify({ model: 'm', messages: body.messages })))
        },
      ),
      { numRuns: 5000 },
    )
  })

  it('keep names such as __proto__ as data', () => {
    const body = JSON.parse('{"__proto__":{"a":1},"constructor":2,"chat_id":"c"}') as Record<
      string,
      unknown
    >
    expect(JSON.stringify(stripGatewayFields(body))).toBe('{"__proto__":{"a":1},"constructor":2}')
  })

  it('that are nested too deeply are refused with 400', async () => {
    let deep: unknown = 1
    for (let level = 0; level < 200_000; level += 1) deep = [deep]
    await expect(serializeBody({ deep })).rejects.toThrow(
      expect.objectContaining({ status: 400 }) as Error,
    )
  })
})
