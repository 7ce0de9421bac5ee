// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { findOrigins, isNearby } from './find-origins.ts'

describe('the computers an artifact names', () => {
  it('are those of its addresses, however they are written, each once', () => {
    const source = `<script src="//cdn.example/chart.js"></script>
<link href='https://fonts.example/css?family=A'> <img src=http://pictures.example:8080/a.png>
<script>fetch(\`https://api.example/v1/\${id}\`); new WebSocket("wss://live.example/x"); fetch('https://API.example/v2')</script>`
    expect(findOrigins(source, [])).toEqual([
      'https://cdn.example',
      'https://fonts.example',
      'http://pictures.example:8080',
      'https://api.example',
      'https://live.example',
    ])
  })

  it('are neither comments, vocabularies, the gateway nor what no policy can name', () => {
    const source = `<svg xmlns="http://www.w3.org/2000/svg"/>
//no address
https://*.example https://[::1]/x ${location.origin}/api https://user:word@a_b.example`
    expect(findOrigins(source, [])).toEqual([])
  })

  it('are also those it asked for while it ran', () => {
    const problem = { kind: 'blocked', text: 'wss://tiles.example/1', line: null } as const
    expect(findOrigins('', [problem, { kind: 'blocked', text: 'inline', line: null }])).toEqual([
      'https://tiles.example',
    ])
  })

  it.each([
    ['http://localhost:3000', true],
    ['http://192.168.1.1', true],
    ['http://172.20.0.4', true],
    ['http://printer', true],
    ['http://nas.local', true],
    ['https://172.67.1.1', false],
    ['https://api.example', false],
  ])('%s is nearby: %s', (origin, nearby) => {
    expect(isNearby(origin)).toBe(nearby)
  })
})
