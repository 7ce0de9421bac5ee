import channels from '../../locales/en/channels.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its effect by whatever draws or says something of channels.
addStrings('channels', channels)
