import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { allEndpoints } from '#contract/endpoints.ts'
import { methodOf, OTHER_ROUTE, routeOf, statusOf } from './name-call.ts'

const reply = (statusCode: number, writableFinished = true): ServerResponse =>
  ({ statusCode, writableFinished }) as ServerResponse

it('names methods a client may send, and folds all others', () => {
  expect(methodOf({ method: 'PATCH' } as IncomingMessage)).toBe('PATCH')
  for (const method of ['M-SEARCH', 'patch', '', undefined])
    expect(methodOf({ method } as IncomingMessage)).toBe('OTHER')
})

it('names statuses that have a name, and folds what a provider makes up', () => {
  const found = new Set(Array.from({ length: 1000 }, (_, status) => statusOf(reply(status))))
  expect(found.size).toBeLessThan(90)
  expect([200, 404, 503].map((status) => statusOf(reply(status)))).toEqual(['200', '404', '503'])
  expect(statusOf(reply(599))).toBe('5xx')
  expect(statusOf(reply(200, false))).toBe('499')
})

it('names a route by its template, which is one of few', () => {
  expect(routeOf(undefined)).toBe(OTHER_ROUTE)
  const routes = new Set(allEndpoints.map(routeOf))
  expect(routes.size).toBeLessThanOrEqual(allEndpoints.length)
  for (const route of routes) expect(route).toMatch(/^(\/|\(other\)$)/)
})
