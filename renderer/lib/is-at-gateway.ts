const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether this window shows a gateway of the computer it runs on; else others are in between. */
export const isAtGateway = (host = location.hostname): boolean => LOOPBACK.test(host)
