const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** True if this window runs on the gateway's computer; otherwise network hops are in between. */
export const isAtGateway = (host = location.hostname): boolean => LOOPBACK.test(host)
