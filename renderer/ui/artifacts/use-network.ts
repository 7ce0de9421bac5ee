import { useCallback, useEffect, useState } from 'react'

/**
 * Network access that the user grants to the artifacts of a conversation, wherever it is stored.
 */
export interface ArtifactNetworks {
  /** Origins that each artifact with network access may reach. */
  readonly list: () => Promise<ReadonlyMap<string, readonly string[]>>
  readonly allow: (artifactId: string, origins: readonly string[]) => Promise<void>
  readonly revoke: (artifactId: string) => Promise<void>
  /** Returns the ticket for opening a frame; null if it has no network access now. */
  readonly openTicket: (artifactId: string) => Promise<string | null>
}

export interface NetworkControl {
  readonly origins: readonly string[]
  /** Counts grants and revocations: frames restart with each. */
  readonly round: number
  readonly isBusy: boolean
  readonly problem: string | null
  readonly allow: (origins: readonly string[]) => Promise<boolean>
  readonly revoke: () => Promise<boolean>
  /** Absent if the frame has no network access. */
  readonly openTicket?: () => Promise<string | null>
}

const toText = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown)

/** Manages the network access of one artifact; returns null if none can be granted. */
export function useNetwork(
  networks: ArtifactNetworks | undefined,
  artifactId: string,
): NetworkControl | null {
  const [allowed, setAllowed] = useState<ReadonlyMap<string, readonly string[]>>(new Map())
  const [round, setRound] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let isOver = false
    networks?.list().then(
      (found) => {
        if (!isOver) setAllowed(found)
      },
      (thrown: unknown) => {
        if (!isOver) setProblem(toText(thrown))
      },
    )
    return () => {
      isOver = true
    }
  }, [networks])
  const openTicket = useCallback(async () => {
    try {
      return (await networks?.openTicket(artifactId)) ?? null
    } catch (thrown) {
      setProblem(toText(thrown))
      return null
    }
  }, [networks, artifactId])
  if (!networks) return null
  const origins = allowed.get(artifactId) ?? []
  const change = async (next: readonly string[], act: () => Promise<void>): Promise<boolean> => {
    setBusy(true)
    setProblem(null)
    try {
      await act()
      setAllowed((before) => new Map([...before, [artifactId, next]]))
      setRound((before) => before + 1)
      return true
    } catch (thrown) {
      setProblem(toText(thrown))
      return false
    } finally {
      setBusy(false)
    }
  }
  return {
    origins,
    round,
    isBusy,
    problem,
    allow: (next) => change(next, () => networks.allow(artifactId, next)),
    revoke: () => change([], () => networks.revoke(artifactId)),
    ...(origins.length > 0 && { openTicket }),
  }
}
