import { useCallback, useEffect, useState } from 'react'

/** What somebody lets the artifacts of a conversation reach, wherever that is kept. */
export interface ArtifactNetworks {
  /** What each artifact that was let out may reach. */
  readonly list: () => Promise<ReadonlyMap<string, readonly string[]>>
  readonly allow: (artifactId: string, origins: readonly string[]) => Promise<void>
  readonly revoke: (artifactId: string) => Promise<void>
  /** What a frame is opened with; null where it may reach nothing now. */
  readonly openTicket: (artifactId: string) => Promise<string | null>
}

export interface NetworkControl {
  readonly origins: readonly string[]
  /** Counts what was allowed and taken back: frames begin anew with it. */
  readonly round: number
  readonly isBusy: boolean
  readonly problem: string | null
  readonly allow: (origins: readonly string[]) => Promise<boolean>
  readonly revoke: () => Promise<boolean>
  /** Absent where the frame has no network. */
  readonly openTicket?: () => Promise<string | null>
}

const toText = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown)

/** The network of one artifact; null where nobody may allow any. */
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
