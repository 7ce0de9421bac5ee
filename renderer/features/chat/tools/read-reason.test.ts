import { expect, it } from 'vitest'
import { readReason } from './read-reason.ts'

const TRACEBACK = `Traceback (most recent call last):
  File "/data/plugins/weather.py", line 12, in get_weather
    return 1 / days
ZeroDivisionError: division by zero
`

it('a report of Python is told by its last line', () => {
  expect(readReason(TRACEBACK)).toBe('ZeroDivisionError: division by zero')
  expect(readReason(`The tool failed.\n${TRACEBACK}`)).toBe('ZeroDivisionError: division by zero')
  expect(readReason(JSON.stringify({ detail: TRACEBACK }))).toBe(
    'ZeroDivisionError: division by zero',
  )
})

it('of a document only its message is told, of other texts their first line', () => {
  expect(readReason('{"error":{"message":"No such city."}}')).toBe('No such city.')
  expect(readReason('{"detail":[{"msg":"Field required"}]}')).toBe('Field required')
  expect(readReason('{"code":7}')).toBe('{"code":7}')
  expect(readReason('\n\nNo such city.\nTry another one.')).toBe('No such city.')
  expect(readReason('')).toBe('')
})

it('a text without end is cut', () => {
  expect(readReason('a'.repeat(1000))).toHaveLength(241)
})
