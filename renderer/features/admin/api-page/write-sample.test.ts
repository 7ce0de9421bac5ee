import { expect, test } from 'vitest'
import { toPython, writeSample } from './write-sample.ts'

const call = {
  origin: 'http://localhost:1',
  method: 'POST',
  path: "/api/it's",
  body: '{\n  "on": true\n}',
  needsKey: true,
}

test('curl quotes for the shell and takes the key from the environment', () => {
  expect(writeSample('curl', call)).toBe(
    `curl -X POST 'http://localhost:1/api/it'\\''s' \\\n  -H "Authorization: Bearer $CHAT_GATEWAY_KEY" \\\n  -H 'Content-Type: application/json' \\\n  --data '{\n  "on": true\n}'`,
  )
  expect(writeSample('curl', { ...call, method: 'GET', body: null, needsKey: false })).toBe(
    `curl 'http://localhost:1/api/it'\\''s'`,
  )
})

test('TypeScript needs no options for an open call', () => {
  expect(
    writeSample('typescript', { ...call, method: 'GET', body: null, needsKey: false }),
  ).toContain('fetch("http://localhost:1/api/it\'s")')
  expect(writeSample('typescript', call)).toContain("  method: 'POST',")
})

test('Python has words of its own, but not inside of strings', () => {
  expect(toPython('{"a": true, "b": "not true", "c": null, "d\\"": false}')).toBe(
    '{"a": True, "b": "not true", "c": None, "d\\"": False}',
  )
  expect(writeSample('python', call)).toContain('requests.post(')
})
