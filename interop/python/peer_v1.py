"""a2a-sdk 1.x as a peer."""

import asyncio

from lines import Lines
from v1_client import Clients, failure
from v1_server import Servers

if __name__ == '__main__':
    asyncio.run(Lines({**Clients().operations, **Servers().operations}, failure).run())
