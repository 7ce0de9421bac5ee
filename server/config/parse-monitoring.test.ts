import { describe, expect, it } from 'vitest'
import { parseMetricsAddress } from './parse-metrics-address.ts'
import { parseTraceReceiver } from './parse-trace-receiver.ts'
import { StartError } from './start-error.ts'

describe('METRICS_ADDRESS', () => {
  it.each([
    [undefined, null],
    [' ', null],
    ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
    ['localhost:1', { host: 'localhost', port: 1 }],
    ['0.0.0.0:65535', { host: '0.0.0.0', port: 65_535 }],
    ['[::1]:9464', { host: '::1', port: 9464 }],
    ['[::]:9464', { host: '::', port: 9464 }],
  ])('%j is %j', (METRICS_ADDRESS, address) => {
    expect(parseMetricsAddress({ METRICS_ADDRESS })).toEqual(address)
  })

  it.each([
    '9464',
    ':9464',
    '127.0.0.1',
    '127.0.0.1:',
    '127.0.0.1:0',
    '127.0.0.1:65536',
    '127.0.0.1:99999999',
    '127.0.0.256:9464',
    '::1:9464',
    '[127.0.0.1]:9464',
    '[::1',
    'metrics.example:9464',
    'http://127.0.0.1:9464',
    'true',
  ])('%j is refused with 1 and one line that names the variable', (METRICS_ADDRESS) => {
    const parse = () => parseMetricsAddress({ METRICS_ADDRESS })
    expect(parse).toThrow(StartError)
    expect(parse).toThrow(/^METRICS_ADDRESS=[^\n]*Allowed:[^\n]*$/)
    expect(parse).toThrow(expect.objectContaining({ exitCode: 1 }))
  })
})

describe('OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  const parse = (endpoint: string | undefined, more: Record<string, string> = {}) =>
    parseTraceReceiver({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...more })

  it('alone says where traces go', () => {
    expect(parse(undefined, { OTEL_SERVICE_NAME: 'chat' })).toBeNull()
    expect(parse('http://127.0.0.1:4318')).toEqual({
      origin: 'http://127.0.0.1:4318',
      path: '/v1/traces',
      headers: {},
      serviceName: 'chat-gateway',
    })
  })

  it('may have a path, headers and a name besides', () => {
    const more = {
      OTEL_EXPORTER_OTLP_HEADERS: 'X-Key=a%20secret, tenant = one,',
      OTEL_SERVICE_NAME: 'chat-north',
    }
    expect(parse('https://traces.example/otlp/', more)).toEqual({
      origin: 'https://traces.example',
      path: '/otlp/v1/traces',
      headers: { 'x-key': 'a secret', tenant: 'one' },
      serviceName: 'chat-north',
    })
  })

  it.each([
    ['127.0.0.1:4318', {}, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    ['grpc://traces.example', {}, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    ['http://me:pass-word@traces.example', {}, 'OTEL_EXPORTER_OTLP_HEADERS'],
    ['http://traces.example/?key=pass-word', {}, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    ['http://traces.example', { OTEL_EXPORTER_OTLP_HEADERS: 'pass-word' }, 'name=value'],
    [
      'http://traces.example',
      { OTEL_EXPORTER_OTLP_HEADERS: 'a=pass-word%0d%0ab: c' },
      'name=value',
    ],
    ['http://traces.example', { OTEL_EXPORTER_OTLP_HEADERS: 'host=pass-word' }, 'name=value'],
  ])('%j with %j is refused in one line that never holds a key', (endpoint, more, words) => {
    const refused = () => parse(endpoint, more)
    expect(refused).toThrow(StartError)
    expect(refused).toThrow(words)
    expect(refused).not.toThrow('pass-word')
    expect(refused).toThrow(expect.objectContaining({ exitCode: 1 }))
  })
})
