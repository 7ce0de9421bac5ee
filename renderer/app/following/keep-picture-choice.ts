import { readInterface, saveInterface } from '../../features/settings/preferences-store.ts'
import { followChoice } from '../../ui/pictures/picture-choice.ts'
import { toastError } from '../../ui/floating/toast.tsx'
import { preferencesStore } from '../stores.ts'

const KEY = 'pictures'

/** Stores the user's picture size and count in the account settings. */
export const takePictureChoice = (): void =>
  followChoice(readInterface(preferencesStore, KEY), (choice) => {
    saveInterface(preferencesStore, KEY, choice).catch(toastError)
  })
