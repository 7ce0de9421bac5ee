import type { Automation, AutomationInput } from '#contract/automations.ts'
import { call, endpoints } from '../../api/client.ts'
import { ListStore } from '../../api/list-store.ts'
import { saveKnown } from '../../ui/dialogs/changed-elsewhere.tsx'

const PAGE_SIZE = 30

interface Narrowing {
  readonly query: string
}

export type AutomationsStore = ListStore<Automation, Narrowing>

const table = endpoints.automations
const paramsOf = ({ id }: Pick<Automation, 'id'>) => ({ params: { automation_id: id } })

/** Creates the store of the user's automations. */
export const createAutomationsStore = (): AutomationsStore =>
  new ListStore<Automation, Narrowing>({
    read: async ({ state, page, signal }) =>
      call(table.list, { query: { query: state.query, page } }, { signal }),
    extra: { query: '' },
    keyOf: ({ id }) => id,
    pageSize: PAGE_SIZE,
    compare: (left, right) => right.created_at - left.created_at,
  })

interface AutomationSave {
  /** The version that was opened; null for a new automation. */
  readonly before: Automation | null
  readonly toInput: (base: Automation | null) => AutomationInput
  readonly toForm: (automation: Automation) => unknown
}

export async function saveAutomation(
  store: AutomationsStore,
  { before, toInput, toForm }: AutomationSave,
): Promise<void> {
  store.put(
    before
      ? (
          await saveKnown<Automation>({
            known: before,
            save: (base) =>
              call(table.update, {
                ...paramsOf(before),
                body: { ...toInput(base), known_at: base?.updated_at },
              }),
            readNewest: () => call(table.get, paramsOf(before)),
            toForm,
            textOf: ({ data }) => data.prompt,
          })
        ).newest
      : await call(table.create, { body: toInput(null) }),
  )
}

export const toggleAutomation = async (store: AutomationsStore, each: Automation): Promise<void> =>
  store.put(await call(table.toggle, paramsOf(each)))

export const runAutomation = async (store: AutomationsStore, each: Automation): Promise<void> =>
  store.put(await call(table.run, paramsOf(each)))

export const cancelRun = async (store: AutomationsStore, each: Automation): Promise<void> =>
  store.put(await call(table.cancel, paramsOf(each)))

export const removeAutomation = (store: AutomationsStore, each: Automation): Promise<void> =>
  store.remove(each, () => call(table.remove, paramsOf(each)))

/** Creates a new secret URL and resolves with it, based on this window's origin. */
export async function makeAddress(store: AutomationsStore, each: Automation): Promise<string> {
  const { path } = await call(table.createAddress, paramsOf(each))
  store.put({ ...each, webhook: { last_used_at: null } })
  return new URL(path, location.origin).href
}

export const removeAddress = async (store: AutomationsStore, each: Automation): Promise<void> =>
  store.put(await call(table.removeAddress, paramsOf(each)))
