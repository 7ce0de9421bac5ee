import type { Permission } from '#contract/permissions.ts'
import { isAdmin, isGuest, type SessionState } from '../features/auth/session-store.ts'
import { desktop } from '../lib/desktop.ts'
import type { VoiceRights } from '../ui/voice/voice-rights.ts'
import { isForAdmins, type SettingsPage } from '../lib/router.ts'

/**
 * Whether the signed-in person may do something; what a gateway does not speak of is permitted. It
 * decides, this only spares useless offers.
 */
export const isPermitted =
  (permission: Permission) =>
  ({ user }: SessionState): boolean => {
    if (!user || user.role === 'admin') return true
    const [branch = '', key = ''] = permission.split('.')
    return (user.permissions[branch] as Record<string, unknown> | undefined)?.[key] !== false
  }

/** Whether chats can be put into folders here. */
export const mayUseFolders = (state: SessionState): boolean =>
  state.config?.features.enable_folders !== false && isPermitted('features.folders')(state)

/** Whether models can be told lasting facts about a person here. */
export const mayUseMemories = (state: SessionState): boolean =>
  state.config?.features.enable_memories !== false && isPermitted('features.memories')(state)

/** Whether this person may have tool servers of their own. */
export const mayHaveOwnTools = isPermitted('features.direct_tool_servers')

/** What guests can change: how it looks to them. */
const OF_GUESTS: readonly SettingsPage[] = ['appearance', 'about']

/** The pages of the settings this person has. */
export const offersPage =
  (state: SessionState) =>
  (page: SettingsPage): boolean =>
    isGuest(state)
      ? OF_GUESTS.includes(page)
      : (isAdmin(state) || !isForAdmins(page)) && (page !== 'desktop' || desktop !== undefined)

/** Whether notes can be written here. */
export const mayUseNotes = (state: SessionState): boolean =>
  state.config?.features.enable_notes !== false && isPermitted('features.notes')(state)

/** Whether prompts can be asked by themselves here. */
export const mayUseAutomations = (state: SessionState): boolean =>
  state.config?.features['enable_automations'] === true &&
  isPermitted('features.automations')(state)

/** Whether people keep calendars here. */
export const mayUseCalendar = (state: SessionState): boolean =>
  state.config?.features['enable_calendar'] === true && isPermitted('features.calendar')(state)

/** Whether answers can be rated here. */
export const mayRate = (state: SessionState): boolean =>
  state.config?.features.enable_message_rating !== false && isPermitted('chat.rate_response')(state)

/** Whether people can talk to each other in channels here. */
export const mayUseChannels = (state: SessionState): boolean =>
  state.config?.features.enable_channels === true && isPermitted('features.channels')(state)

/** What works by voice for this person: as far as they may, the gateway has engines, or devices have voices. */
export const voiceRightsOf = (state: SessionState): VoiceRights => {
  const audio = state.config?.audio
  return {
    maySpeak: isPermitted('chat.tts')(state),
    mayListen: isPermitted('chat.stt')(state),
    mayCall: ['chat.call', 'chat.stt', 'chat.tts'].every((each) =>
      isPermitted(each as Permission)(state),
    ),
    engineSpeaks: (audio?.tts.engine ?? '') !== '',
    engineListens: (audio?.stt.engine ?? '') !== '',
    splitOn: audio?.tts.split_on ?? 'punctuation',
  }
}

const mayHavePictures = isPermitted('features.image_generation')

/** Whether the gateway makes pictures for this person. */
export const mayMakePictures = (state: SessionState): boolean =>
  state.config?.features['enable_image_generation'] === true && mayHavePictures(state)

/** Whether the gateway changes pictures for this person. */
export const mayEditPictures = (state: SessionState): boolean =>
  state.config?.features['enable_image_edit'] === true && mayHavePictures(state)
