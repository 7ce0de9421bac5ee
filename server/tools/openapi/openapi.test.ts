import { describe, expect, test } from 'vitest'
import { parseDocument } from './parse-document.ts'
import { readOperations } from '#contract/openapi/read-operations.ts'
import { resolveReferences } from './resolve-references.ts'
import { toOutput } from './to-output.ts'
import { toRequest } from '#contract/openapi/to-request.ts'
import { toSpecification } from '#contract/openapi/to-specification.ts'

const DOCUMENT = `
openapi: 3.1.0
info: { title: Weather, description: "Forecasts\u200B of today" }
servers: [{ url: "http://169.254.169.254" }]
paths:
  /cities/{city}/forecast:
    parameters:
      - { name: city, in: path, required: true, schema: { type: string } }
      - { name: X-Units, in: header, schema: { type: string, enum: [metric, imperial] } }
      - { name: session, in: cookie, schema: { type: string } }
    get:
      operationId: getForecast
      summary: The forecast of a city
      parameters:
        - { name: days, in: query, description: How many days, schema: { type: integer, default: 3 } }
        - { name: fields, in: query, schema: { type: array, items: { type: string } } }
        - { name: Authorization, in: header, schema: { type: string } }
    post:
      operationId: addReport
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Report' }
    delete: { summary: nameless }
  /lists:
    put:
      operationId: replaceList
      requestBody: { required: true, content: { application/json: { schema: { type: array, items: { type: string } } } } }
components:
  schemas:
    Report:
      type: object
      required: [text]
      properties:
        text: { type: string }
        parent: { $ref: '#/components/schemas/Report' }
`

const operationsOf = async (text: string) =>
  readOperations(await resolveReferences(await parseDocument(text), null))
const operationOf = async (id: string) =>
  (await operationsOf(DOCUMENT)).operations.find(({ operationId }) => operationId === id)!

describe('reading a description', () => {
  test('operations with an id become tools, the others are left out', async () => {
    const { title, description, operations } = await operationsOf(DOCUMENT)
    expect({ title, description }).toEqual({ title: 'Weather', description: 'Forecasts of today' })
    expect(operations.map(({ operationId }) => operationId)).toEqual([
      'getForecast',
      'addReport',
      'replaceList',
    ])
  })

  test('parameters of the path, of the operation and fields of the body are one object', async () => {
    expect(toSpecification(await operationOf('getForecast'), 'weather_getForecast')).toEqual({
      name: 'weather_getForecast',
      description: 'The forecast of a city',
      parameters: {
        type: 'object',
        properties: {
          city: { type: 'string' },
          'X-Units': {
            type: 'string',
            enum: ['metric', 'imperial'],
            description: 'Possible values: metric, imperial.',
          },
          days: { type: 'integer', default: 3, description: 'How many days' },
          fields: { type: 'array', items: { type: 'string' } },
          Authorization: { type: 'string' },
        },
        required: ['city'],
      },
    })
  })

  test('a reference in a circle is cut', async () => {
    const { parameters } = toSpecification(await operationOf('addReport'), 'addReport')
    expect(parameters).toMatchObject({
      properties: { text: { type: 'string' } },
      required: ['city', 'text'],
    })
    expect(JSON.stringify(parameters)).not.toContain('$ref')
  })

  test.each([
    ['nothing', ''],
    ['no paths', '{"openapi":"3.1.0"}'],
    ['broken YAML', 'paths: ['],
    [
      'a reference into nothing',
      '{"paths":{"/a":{"get":{"operationId":"a","parameters":[{"$ref":"#/components/x"}]}}}}',
    ],
    [
      'a reference to another document',
      '{"paths":{"/a":{"get":{"operationId":"a","parameters":[{"$ref":"http://127.0.0.1:9/x.json"}]}}}}',
    ],
    ['a reference to a file', '{"paths":{"/a":{"$ref":"file:///etc/passwd"}}}'],
    [
      'aliases that grow',
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [${'*a,'.repeat(60)}]\nc: [${'*b,'.repeat(60)}]\npaths: {}`,
    ],
  ])('%s is refused with a sentence', async (_, text) => {
    await expect(operationsOf(text)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/tool server/) as string,
    })
  })

  test('another document is read only through what was handed in', async () => {
    const asked: string[] = []
    const text =
      '{"paths":{"/a":{"get":{"operationId":"a","parameters":[{"$ref":"https://example.test/parts.json#/city"}]}}}}'
    const resolved = await resolveReferences(await parseDocument(text), (url) => {
      asked.push(url)
      return Promise.resolve('{"city":{"name":"city","in":"query","schema":{"type":"string"}}}')
    })
    expect(asked).toEqual(['https://example.test/parts.json'])
    expect(readOperations(resolved).operations[0]!.parameters[0]!.name).toBe('city')
  })
})

describe('calling an operation', () => {
  test('arguments travel in their places', async () => {
    const request = toRequest(await operationOf('getForecast'), {
      city: 'São Paulo/../..',
      days: 2,
      fields: ['rain', 'wind'],
      'X-Units': 'metric',
      Authorization: 'Bearer stolen',
      session: 'x',
      unknown: 1,
    })
    expect(request).toEqual({
      method: 'GET',
      path: '/cities/S%C3%A3o%20Paulo%2F..%2F../forecast?days=2&fields=rain&fields=wind',
      headers: { accept: expect.any(String) as string, 'x-units': 'metric' },
      body: null,
    })
  })

  test('the body holds only what it describes', async () => {
    const request = toRequest(await operationOf('addReport'), {
      city: 'Oslo',
      text: 'rain',
      other: 1,
    })
    expect(JSON.parse(request.body!)).toEqual({ text: 'rain' })
    expect(request.headers['content-type']).toBe('application/json')
  })

  test('a body that is a list is the argument body', async () => {
    expect(toRequest(await operationOf('replaceList'), { body: ['a'] }).body).toBe('["a"]')
  })

  test.each([['..'], ['.'], ['']])('a path is not left by %j', async (city) => {
    const operation = await operationOf('getForecast')
    expect(() => toRequest(operation, { city })).toThrow(/"city"/)
  })

  test('a missing argument is named', async () => {
    const operation = await operationOf('getForecast')
    expect(() => toRequest(operation, {})).toThrow('The argument "city" is missing.')
  })
})

describe('reading a reply', () => {
  const reply = (status: number, headers: Record<string, string>, body: string | Buffer) =>
    toOutput({ status, headers, bytes: Buffer.from(body) })

  test('text is told as it came', () => {
    expect(reply(200, { 'content-type': 'application/json' }, '{"a":1}')).toEqual({
      text: '{"a":1}',
      isError: false,
      files: [],
      embeds: [],
    })
  })

  test('a failure is told to the model', () => {
    expect(reply(404, { 'content-type': 'text/plain' }, 'no such city')).toMatchObject({
      isError: true,
      text: '{"error":"HTTP error 404: no such city"}',
    })
  })

  test('a page sent to be shown is shown, and the model is told so', () => {
    const output = reply(
      200,
      { 'content-type': 'text/html; charset=utf-8', 'content-disposition': 'INLINE' },
      '<h1>Map</h1>',
    )
    expect(output.embeds).toEqual(['<h1>Map</h1>'])
    expect(JSON.parse(output.text)).toMatchObject({ code: 'ui_component' })
  })

  test('a page at another address is shown from there', () => {
    expect(
      reply(200, { 'content-disposition': 'inline', location: 'https://maps.test/1' }, '').embeds,
    ).toEqual(['https://maps.test/1'])
    expect(
      reply(200, { 'content-disposition': 'inline', location: 'javascript:alert(1)' }, '').embeds,
    ).toEqual([])
  })

  test('a picture is a file', () => {
    expect(reply(200, { 'content-type': 'image/png' }, Buffer.from([1, 2])).files).toEqual([
      { type: 'image', mediaType: 'image/png', bytes: Buffer.from([1, 2]), name: null },
    ])
  })

  test('a redirect is not followed', () => {
    expect(reply(302, { location: 'http://169.254.169.254/' }, '')).toMatchObject({ isError: true })
  })

  test('an unknown charset does not stop the reading', () => {
    expect(reply(200, { 'content-type': 'text/plain; charset=klingon' }, 'hi').text).toBe('hi')
  })
})
