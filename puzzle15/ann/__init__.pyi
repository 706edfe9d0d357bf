from .distance import DEFAULT_NETWORK as DEFAULT_NETWORK
from .distance import AnnDistance as AnnDistance
from .distance import network_names as network_names
from .network_file import checksum as checksum
from .network_file import write_network as write_network
