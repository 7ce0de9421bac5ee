import { expect, it } from 'vitest'
import { parseConfig } from '../config/parse-config.ts'
import { findOwnServers, isOwnServer } from './own-servers.ts'

const SECRET = { WEBUI_SECRET_KEY: 'a long random text' }
const STORE = { STORAGE_PROVIDER: 's3', S3_BUCKET_NAME: 'uploads' }
const own = { kind: 'shared_store' } as const

const find = (environment: Record<string, string>) =>
  findOwnServers(parseConfig({ ...SECRET, ...environment }))

it('the servers of the gateway itself are those that its environment names', () => {
  expect(find({})).toEqual([])
  expect(
    find({
      DATABASE_URL: 'postgres://somebody:secret@DB.example/gateway',
      REDIS_URL: 'rediss://:secret@[2001:db8::1]:7000',
    }),
  ).toEqual([
    { host: 'db.example', port: 5432 },
    { host: '2001:db8::1', port: 7000 },
  ])
  expect(find({ DATABASE_URL: 'postgres://db.example/gateway?host=10.0.0.5&port=6000' })).toEqual([
    { host: '10.0.0.5', port: 6000 },
  ])
})

it('a bucket is reached at the address of its store, and below it', () => {
  const endpoint = { ...STORE, S3_ENDPOINT_URL: 'https://store.example' }
  const store = { host: 'store.example', port: 443 }
  expect(find({ ...endpoint, S3_ADDRESSING_STYLE: 'path' })).toEqual([store])
  expect(find({ ...endpoint, S3_ADDRESSING_STYLE: 'virtual' })).toEqual([
    store,
    { host: 'uploads.store.example', port: 443 },
  ])
  expect(find(STORE)).toEqual([])
})

it('nothing but its own data leads there, and no proxy', () => {
  const servers = [{ host: 'db.example', port: 5432 }]
  const target = { host: 'DB.example', port: 5432 }
  expect(isOwnServer(servers, target, own)).toBe(true)
  expect(isOwnServer(servers, target, { kind: 'tool_server' })).toBe(false)
  expect(isOwnServer(servers, { ...target, via: 'proxy' }, own)).toBe(false)
  expect(isOwnServer(servers, { ...target, port: 5433 }, own)).toBe(false)
  expect(isOwnServer(servers, { ...target, host: 'db.example.org' }, own)).toBe(false)
})
