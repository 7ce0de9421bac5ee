import channels from '../../locales/en/channels.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its side effect by modules that show channels or texts about them.
addStrings('channels', channels)
