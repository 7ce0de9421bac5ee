import type { Permission } from '#contract/permissions.ts'
import { isAdmin, isGuest, type SessionState } from '../../features/auth/session-store.ts'
import { desktop } from '../../lib/desktop.ts'
import type { VoiceRights } from '../../ui/voice/voice-rights.ts'
import { isForAdmins, type SettingsPage } from '../../lib/router.ts'

/**
 * True if the signed-in user has a permission; permissions the gateway does not report are granted.
 * The gateway enforces them; this check only hides unusable actions.
 */
export const isPermitted =
  (permission: Permission) =>
  ({ user }: SessionState): boolean => {
    if (!user || user.role === 'admin') return true
    const [branch = '', key = ''] = permission.split('.')
    return (user.permissions[branch] as Record<string, unknown> | undefined)?.[key] !== false
  }

/** True if folders are available to the user. */
export const mayUseFolders = (state: SessionState): boolean =>
  state.config?.features.enable_folders !== false && isPermitted('features.folders')(state)

/** True if memories are available to the user. */
export const mayUseMemories = (state: SessionState): boolean =>
  state.config?.features.enable_memories !== false && isPermitted('features.memories')(state)

/** True if the user may have their own tool servers. */
export const mayHaveOwnTools = isPermitted('features.direct_tool_servers')

/** Settings pages of guests: appearance and information only. */
const OF_GUESTS: readonly SettingsPage[] = ['appearance', 'about']

/** Returns a predicate for the settings pages available to this user. */
export const offersPage =
  (state: SessionState) =>
  (page: SettingsPage): boolean =>
    isGuest(state)
      ? OF_GUESTS.includes(page)
      : (isAdmin(state) || !isForAdmins(page)) && (page !== 'desktop' || desktop !== undefined)

/** True if notes are available to the user. */
export const mayUseNotes = (state: SessionState): boolean =>
  state.config?.features.enable_notes !== false && isPermitted('features.notes')(state)

/** True if automations are available to the user. */
export const mayUseAutomations = (state: SessionState): boolean =>
  state.config?.features['enable_automations'] === true &&
  isPermitted('features.automations')(state)

/** True if calendars are available to the user. */
export const mayUseCalendar = (state: SessionState): boolean =>
  state.config?.features['enable_calendar'] === true && isPermitted('features.calendar')(state)

/** True if answers can be rated. */
export const mayRate = (state: SessionState): boolean =>
  state.config?.features.enable_message_rating !== false && isPermitted('chat.rate_response')(state)

/** True if channels are available to the user. */
export const mayUseChannels = (state: SessionState): boolean =>
  state.config?.features.enable_channels === true && isPermitted('features.channels')(state)

/**
 * Returns the voice features available to this user: depends on permissions, the gateway's engines
 * and the device's voices.
 */
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

/** True if the user may generate pictures. */
export const mayMakePictures = (state: SessionState): boolean =>
  state.config?.features['enable_image_generation'] === true && mayHavePictures(state)

/** True if the user may edit pictures. */
export const mayEditPictures = (state: SessionState): boolean =>
  state.config?.features['enable_image_edit'] === true && mayHavePictures(state)
