import { useEffect, useState } from 'react'
import type { ToolItem } from '#contract/tools.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

/** A server of the gateway whose tools the user can use. */
export type UsableServer = Pick<ToolItem, 'id' | 'name' | 'authenticated'>

export interface UsableServers {
  readonly servers: readonly UsableServer[]
  readonly problem: string | null
  /** Marks a server as signed out. */
  readonly noteSignOut: (id: string) => void
}

const PREFIX = 'server:'

/** Returns the servers of the gateway that the user can use, with the state of their sign-in. */
export function useUsableServers(): UsableServers {
  const [servers, setServers] = useState<readonly UsableServer[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    const load = (): void => {
      call(endpoints.tools.list, {}).then(
        (tools) => {
          setServers(tools.filter(({ id }) => id.startsWith(PREFIX)))
          setProblem(null)
        },
        (thrown: unknown) => setProblem(toSentence(thrown)),
      )
    }
    load()
    // A sign-in completed in another window is shown when this one regains the focus.
    window.addEventListener('focus', load)
    return () => window.removeEventListener('focus', load)
  }, [])
  const noteSignOut = (id: string): void =>
    setServers(servers.map((each) => (each.id === id ? { ...each, authenticated: false } : each)))
  return { servers, problem, noteSignOut }
}
