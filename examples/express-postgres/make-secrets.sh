#!/bin/sh
# Writes new secrets into ./secrets, which no repository and no image holds. Files that are there stay.
set -eu
mkdir -m 700 secrets
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
password=$(random)
printf '%s' "$password" > secrets/postgres-password
printf '"shop" "%s"\n' "$password" > secrets/userlist.txt
# The key is the sandbox's well-known one.
cat > secrets/shop.env << END
DATABASE_URL=postgres://shop:$password@pgbouncer:6432/shop
PAY_TOKEN_SECRET=$(random)
GATEWAY_API_KEY=sandbox_staging_944d07464cb8595a528f444ea94c0e74
END
