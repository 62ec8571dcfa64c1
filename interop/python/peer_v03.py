"""a2a-sdk 0.3 as a peer."""

import asyncio

from lines import Lines
from v03_client import Clients, failure
from v03_server import Servers

if __name__ == '__main__':
    asyncio.run(Lines({**Clients().operations, **Servers().operations}, failure).run())
