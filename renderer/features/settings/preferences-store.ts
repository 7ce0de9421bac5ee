import { createStore, type StoreApi } from 'zustand/vanilla'
import { call, endpoints } from '../../api/client.ts'
import {
  applyAppearance,
  readLocalAppearance,
  toAppearance,
  type Appearance,
} from '../../lib/appearance.ts'
import { setLanguage, translate } from '../../lib/i18n.ts'
import {
  guessLanguage,
  keepLocalLanguage,
  readLocalLanguage,
  toLanguage,
  type Language,
} from '../../lib/languages.ts'
import { toast } from '../../ui/toast.tsx'

/**
 * What a person chose about the interface; kept with the account, so that it follows to other
 * devices.
 */
export interface Preferences {
  readonly appearance: Appearance
  /** Null follows the gateway's setting and the browser. */
  readonly language: Language | null
  /** Whether models are told what is remembered about the person. */
  readonly usesMemories: boolean
  /**
   * Whether a question in an address is sent at once, or only written into the box: anybody can
   * make such a link.
   */
  readonly sendsLinks: boolean
  /** False until the first-run guide was finished or skipped. */
  readonly welcomed: boolean
}

interface PreferencesState extends Preferences {
  /** What the gateway names for people who have not chosen; empty where it names none. */
  readonly gatewayLanguage: string
  /** True once the account's own settings are here. */
  readonly loaded: boolean
  /** Settings of other clients. */
  readonly others: Readonly<Record<string, unknown>>
}

export type PreferencesStore = StoreApi<PreferencesState>

/**
 * A browser in which somebody was welcomed once opens without waiting for the account's settings.
 */
const WELCOMED_KEY = 'welcomed'

/** The language the interface is shown in. */
export const selectLanguage = ({ language, gatewayLanguage }: PreferencesState): Language =>
  language ?? guessLanguage(gatewayLanguage)

function showLanguage(language: Language): void {
  setLanguage(language).catch(() =>
    toast({ tone: 'danger', text: translate('settings.appearance.languageFailed') }),
  )
}

/** Makes the store with this browser's copy in it and shows every later change. */
export function createPreferencesStore(): PreferencesStore {
  const store = createStore<PreferencesState>(() => ({
    appearance: readLocalAppearance(),
    language: readLocalLanguage(),
    gatewayLanguage: '',
    usesMemories: true,
    sendsLinks: false,
    welcomed: localStorage.getItem(WELCOMED_KEY) === 'yes',
    loaded: false,
    others: {},
  }))
  store.subscribe((state, before) => {
    if (state.appearance !== before.appearance) applyAppearance(state.appearance)
    if (state.language !== before.language) keepLocalLanguage(state.language)
    if (selectLanguage(state) !== selectLanguage(before)) showLanguage(selectLanguage(state))
    if (state.welcomed) localStorage.setItem(WELCOMED_KEY, 'yes')
  })
  return store
}

/** Fetches the account's settings. */
export async function loadPreferences(store: PreferencesStore): Promise<void> {
  const settings = await call(endpoints.users.settings, {})
  const { ui = {}, ...others } = settings ?? {}
  const { appearance, language, welcomed, memory, sendLinks, ...rest } = ui
  store.setState({
    loaded: true,
    welcomed: welcomed === true,
    usesMemories: memory !== false,
    sendsLinks: sendLinks === true,
    ...(language !== undefined && { language: toLanguage(language) }),
    others: { ...others, ui: rest },
    ...(appearance !== undefined && { appearance: toAppearance(appearance) }),
  })
}

const SAVE_AFTER = 400
const timers = new WeakMap<PreferencesStore, ReturnType<typeof setTimeout>>()

/** Fields of the account's `ui` that this window changed and that are not stored yet. */
const unsaved = new WeakMap<PreferencesStore, Readonly<Record<string, unknown>>>()

const FIELDS = {
  appearance: 'appearance',
  language: 'language',
  usesMemories: 'memory',
  sendsLinks: 'sendLinks',
  welcomed: 'welcomed',
} as const satisfies Record<keyof Preferences, string>

/**
 * Stores what this window changed over what the account holds now, as other windows and devices,
 * and the gateway itself, write there too.
 */
async function savePreferences(store: PreferencesStore): Promise<void> {
  const changes = unsaved.get(store)
  unsaved.delete(store)
  try {
    const current = (await call(endpoints.users.settings, {}))?.ui
    await call(endpoints.users.updateSettings, { body: { ui: { ...current, ...changes } } })
  } catch (thrown) {
    unsaved.set(store, { ...changes, ...unsaved.get(store) })
    throw thrown
  }
}

/**
 * Changes something at once and saves it a moment later, the end of the guide without delay.
 * `onFailure` hears when the account could not keep it.
 */
export function changePreferences(
  store: PreferencesStore,
  change: Partial<Preferences>,
  onFailure: (thrown: unknown) => void = () => undefined,
): void {
  store.setState(change)
  if (!store.getState().loaded) return
  const fields = Object.entries(change).map(([name, value]) => [
    FIELDS[name as keyof Preferences],
    value,
  ])
  unsaved.set(store, { ...unsaved.get(store), ...Object.fromEntries(fields) })
  clearTimeout(timers.get(store))
  timers.set(
    store,
    setTimeout(
      () => {
        savePreferences(store).catch(onFailure)
      },
      change.welcomed === undefined ? SAVE_AFTER : 0,
    ),
  )
}

/** Changes a part of the appearance. */
export const changeAppearance = (store: PreferencesStore, change: Partial<Appearance>): void =>
  changePreferences(store, { appearance: { ...store.getState().appearance, ...change } })

const interfaceOf = ({ others }: PreferencesState): Record<string, unknown> =>
  (others['ui'] ?? {}) as Record<string, unknown>

/**
 * A part of the settings this store keeps for others, such as the tool servers of the person; other
 * clients may have written anything there.
 */
export const readInterface = (store: PreferencesStore, key: string): unknown =>
  interfaceOf(store.getState())[key]

/** Stores it at once; what is known stays as it was when that fails. */
export async function saveInterface(
  store: PreferencesStore,
  key: string,
  value: unknown,
): Promise<void> {
  const { others } = store.getState()
  store.setState({ others: { ...others, ui: { ...interfaceOf(store.getState()), [key]: value } } })
  clearTimeout(timers.get(store))
  unsaved.set(store, { ...unsaved.get(store), [key]: value })
  try {
    await savePreferences(store)
  } catch (thrown) {
    const { [key]: _refused, ...rest } = unsaved.get(store) ?? {}
    unsaved.set(store, rest)
    store.setState({ others })
    throw thrown
  }
}
