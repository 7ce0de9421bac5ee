import { createStore, type StoreApi } from 'zustand/vanilla'
import type { LocalProgram, LocalProgramId } from '#contract/programs.ts'
import { call, endpoints } from '../../api/client.ts'

/** The installed programs that serve models; null until they were looked for. */
export interface ProgramsState {
  readonly programs: readonly LocalProgram[] | null
}

export type ProgramsStore = StoreApi<ProgramsState>

export const createProgramsStore = (): ProgramsStore =>
  createStore<ProgramsState>(() => ({ programs: null }))

/** Looks for them. Finding none is no failure to tell of. */
export async function loadPrograms(store: ProgramsStore): Promise<void> {
  const programs = await call(endpoints.programs.list, {}).catch(() => [])
  store.setState({ programs })
}

/** Those there is something to do about: what runs by itself is left alone. */
export const toOffered = ({ programs }: ProgramsState): readonly LocalProgram[] =>
  (programs ?? []).filter(({ state, is_ours: isOurs }) => state !== 'running' || isOurs)

export const isStarting = ({ programs }: ProgramsState): boolean =>
  programs?.some(({ state }) => state === 'starting') ?? false

/** Starts or ends a program; the list is read again whatever came of it. */
export async function changeProgram(
  store: ProgramsStore,
  id: LocalProgramId,
  change: 'start' | 'stop',
): Promise<void> {
  try {
    await call(endpoints.programs[change], { params: { program_id: id } })
  } finally {
    await loadPrograms(store)
  }
}
