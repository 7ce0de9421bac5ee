import { describe, expect, it } from 'vitest'
import { createSecrets } from '../storage/secrets/secrets.ts'
import { createTestStorage } from '../testing/create-test-storage.ts'
import type { ConnectionRecord } from './connections/connection-record.ts'
import { ConnectionStore } from './store.ts'

const record: ConnectionRecord = {
  id: 'c1',
  kind: 'compatible',
  name: 'Cloud',
  url: 'https://host.example/v1',
  enabled: true,
  prefix_id: '',
  model_ids: ['a', 'b'],
  headers: { 'x-team': 'blue' },
  timeout_seconds: 60,
  connection_type: null,
  access: 'everybody',
  use_proxy: false,
  trusted_certificate: null,
  origin: 'stored',
  overridden: [],
  key: 'the-key',
  isLocked: false,
}

describe('the store of connections', () => {
  it('gives back what was stored', async () => {
    const store = new ConnectionStore({
      storage: createTestStorage(),
      secrets: createSecrets('a'.repeat(32)),
    })
    await store.insert(record)
    expect(await store.list()).toEqual([record])
    await store.update({ ...record, name: 'Other', key: null, headers: {} })
    expect(await store.get('c1')).toEqual({ ...record, name: 'Other', key: null, headers: {} })
    await store.remove('c1')
    expect(await store.get('c1')).toBeNull()
  })

  it('keeps a key it cannot read, so that it works again under the right secret', async () => {
    const storage = createTestStorage()
    await new ConnectionStore({ storage, secrets: createSecrets('a'.repeat(32)) }).insert(record)
    const other = new ConnectionStore({ storage, secrets: createSecrets('b'.repeat(32)) })
    const locked = await other.get('c1')
    expect(locked).toMatchObject({ key: null, headers: {}, isLocked: true })
    await other.update({ ...locked!, name: 'Renamed' })
    expect(
      await new ConnectionStore({ storage, secrets: createSecrets('a'.repeat(32)) }).get('c1'),
    ).toEqual({
      ...record,
      name: 'Renamed',
    })
  })

  it('refuses a key that was moved to another connection', async () => {
    const storage = createTestStorage()
    const store = new ConnectionStore({ storage, secrets: createSecrets('a'.repeat(32)) })
    await store.insert(record)
    await store.insert({ ...record, id: 'c2', key: null })
    await storage
      .prepare(
        "update connection set key = (select key from connection where id = 'c1') where id = 'c2'",
      )
      .run()
    expect(await store.get('c2')).toMatchObject({ key: null, isLocked: true })
  })
})
