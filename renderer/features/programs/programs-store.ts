import { createStore, type StoreApi } from 'zustand/vanilla'
import type { LocalProgram, LocalProgramId } from '#contract/programs.ts'
import { call, endpoints } from '../../api/client.ts'

/** Installed model runtimes; null until searched for. */
export interface ProgramsState {
  readonly programs: readonly LocalProgram[] | null
}

export type ProgramsStore = StoreApi<ProgramsState>

export const createProgramsStore = (): ProgramsStore =>
  createStore<ProgramsState>(() => ({ programs: null }))

/** Searches for installed runtimes. A failure is not reported. */
export async function loadPrograms(store: ProgramsStore): Promise<void> {
  const programs = await call(endpoints.programs.list, {}).catch(() => [])
  store.setState({ programs })
}

/** Returns the programs with an available action: those running independently are left out. */
export const toOffered = ({ programs }: ProgramsState): readonly LocalProgram[] =>
  (programs ?? []).filter(({ state, is_ours: isOurs }) => state !== 'running' || isOurs)

export const isStarting = ({ programs }: ProgramsState): boolean =>
  programs?.some(({ state }) => state === 'starting') ?? false

/** Starts or stops a program; reloads the list regardless of the result. */
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
