type Payload = Record<string, unknown>

/**
 * Storage of a test's authorization server: a single table, in which clients can be added and
 * removed.
 */
export function createSignInMemory() {
  const kept = new Map<string, Payload>()
  const keyOf = (model: string, id: string): string => `${model} ${id}`
  const seconds = (): number => Math.floor(Date.now() / 1000)
  const adapter = (model: string) => ({
    upsert: (id: string, payload: Payload) =>
      Promise.resolve(void kept.set(keyOf(model, id), payload)),
    find: (id: string) => Promise.resolve(kept.get(keyOf(model, id))),
    findByUid: (uid: string) =>
      Promise.resolve(
        [...kept].find(
          ([key, payload]) => key.startsWith(`${model} `) && payload['uid'] === uid,
        )?.[1],
      ),
    findByUserCode: () => Promise.resolve(undefined),
    consume: (id: string) =>
      Promise.resolve(
        void Object.assign(kept.get(keyOf(model, id)) ?? {}, { consumed: seconds() }),
      ),
    destroy: (id: string) => Promise.resolve(void kept.delete(keyOf(model, id))),
    revokeByGrantId(grantId: string) {
      for (const [key, payload] of kept) if (payload['grantId'] === grantId) kept.delete(key)
      return Promise.resolve()
    },
  })
  return {
    adapter,
    addClient: (metadata: Payload & { client_id: string }): void =>
      void kept.set(keyOf('Client', metadata.client_id), metadata),
    /** Revokes every issued token. */
    revoke(): void {
      for (const key of kept.keys())
        if (/^(AccessToken|RefreshToken|Grant) /.test(key)) kept.delete(key)
    },
    forgetClient: (id: string): void => void kept.delete(keyOf('Client', id)),
  }
}
