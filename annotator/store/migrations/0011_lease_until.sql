-- Live leases are few, leases that ran out may be many: hand-out looks at the live ones alone.
CREATE INDEX lease_until ON lease(until);
