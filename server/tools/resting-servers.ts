/** How long a server that did not answer in time is left alone. */
const REST_MILLISECONDS = 60_000

/** Which server, for whom. */
interface Place {
  readonly serverId: string
  readonly userId: string
}

/** Tool servers that did not answer somebody in time and are left alone for a while. */
export interface RestingServers {
  has(place: Place): boolean
  add(place: Place): void
  remove(place: Place): void
  /** Forgets those of a server or a person. */
  drop(which: Partial<Place>): void
}

const nameOf = ({ serverId, userId }: Place): string => JSON.stringify([serverId, userId])

export function createRestingServers(): RestingServers {
  /** Each with the end of its rest, as `performance.now` counts. */
  const resting = new Map<string, Place & { readonly until: number }>()
  return {
    has: (place) => (resting.get(nameOf(place))?.until ?? 0) > performance.now(),
    add: (place) => void resting.set(nameOf(place), { ...place, until: performance.now() + REST_MILLISECONDS }),
    remove: (place) => void resting.delete(nameOf(place)),
    drop(which) {
      for (const [name, { serverId, userId }] of resting) if (which.serverId === serverId || which.userId === userId) resting.delete(name)
    },
  }
}
